import { parentPort, type MessagePort } from 'node:worker_threads';
import { explainCase } from '../../../../domain/credentials/explain/explain-case';
import { TemplateSamples } from '../samples/template-samples';
import { NodeSignatureLab } from '../signature-lab';
import { nodeSignatureText } from '../signature-text';
import { caseOf, type CaseMessage } from './case-message';
import { workClock } from './work-clock';

/** Explains cases in a thread, one at a time, so that a costly request of an unknown sender never blocks the service. */
function serve(port: MessagePort): void {
  const tools = { lab: new NodeSignatureLab(), signatureText: nodeSignatureText, work: workClock, samples: new TemplateSamples() };
  port.on('message', (message: CaseMessage) => {
    // The rejection is unhandled on purpose: it ends the thread, and the service gets its `error` event.
    void explainCase(caseOf(message), tools).then((explanation) => port.postMessage(explanation));
  });
}

if (!parentPort) throw new Error('explain-worker is the entry of a worker thread');
serve(parentPort);
