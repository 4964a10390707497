import { openAsBlob } from 'node:fs';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { WorkerAnswer, WorkerRequest, WorkerStart } from './worker-messages';

/**
 * Runs the embedded database in a thread, so that a long statement does not block the service's event loop. Takes complete messages of the
 * Postgres wire protocol, one batch at a time, and returns the database's answer. A failure of the engine ends the thread, because the data
 * in memory may be damaged; the data on disk is intact.
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

/** Copies into its own buffer, never a slice of Node's shared pool, because the buffer is transferred to the other thread. */
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
