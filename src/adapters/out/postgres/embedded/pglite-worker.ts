import { openAsBlob } from 'node:fs';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { WorkerAnswer, WorkerRequest, WorkerStart } from './worker-messages';

/**
 * The thread that the embedded database runs in, so that a long statement does not hold up the event loop of the service.
 * Takes complete messages of the Postgres wire protocol, one batch at a time, and answers with what the database says.
 * Any failure of the engine itself ends the thread: the data on disk is whole, the data in memory may not be.
 */
async function serve(port: MessagePort, { dataFolder, snapshotFile }: WorkerStart): Promise<void> {
  const db = await PGlite.create(dataFolder, snapshotFile ? { loadDataDir: await openAsBlob(snapshotFile) } : {});
  const answer = (message: WorkerAnswer, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

  port.on('message', (request: WorkerRequest) => {
    void (async () => {
      if (request.kind === 'close') {
        await db.close();
        answer({ id: request.id });
        return;
      }
      const parts: Uint8Array[] = [];
      const onRawData = (part: Uint8Array): void => void parts.push(Uint8Array.from(part));
      await db.runExclusive(() => db.execProtocolRawStream(request.data, { onRawData }));
      const data = joined(parts);
      answer({ id: request.id, data }, [data.buffer]);
    })();
  });
  answer({ id: 0 });
}

/** In memory of its own, never a slice of Node's shared buffer, because it is handed over to the other thread. */
function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

if (!parentPort) throw new Error('pglite-worker is the entry of a worker thread');
void serve(parentPort, workerData as WorkerStart);
