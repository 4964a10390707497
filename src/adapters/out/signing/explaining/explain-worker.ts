import { parentPort, type MessagePort } from 'node:worker_threads';
import { setImmediate as turn } from 'node:timers/promises';
import { explainCase } from '../../../../domain/credentials/explain/explain-case';
import { NodeSignatureLab } from '../signature-lab';
import { nodeSignatureText } from '../signature-text';
import { caseOf, type CaseMessage } from './case-message';

/** The thread that explanations are made in: what a stranger has sent may keep it busy, never the service. One case at a time. */
function serve(port: MessagePort): void {
  const work = { elapsed: () => performance.now(), pause: () => turn() };
  const tools = { lab: new NodeSignatureLab(), signatureText: nodeSignatureText, work };
  port.on('message', (message: CaseMessage) => {
    // A failure is uncaught on purpose: it ends the thread, and the service hears of it.
    void explainCase(caseOf(message), tools).then((explanation) => port.postMessage(explanation));
  });
}

if (!parentPort) throw new Error('explain-worker is the entry of a worker thread');
serve(parentPort);
