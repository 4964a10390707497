import { Worker } from 'node:worker_threads';
import type { WorkerAnswer, WorkerRequest, WorkerStart } from './worker-messages';

interface Waiting {
  readonly resolve: (data: Uint8Array | undefined) => void;
  readonly reject: (error: Error) => void;
}

const CLOSE_WITHIN_MS = 10_000;

/** The embedded database has failed. Only a restart of the process starts it again. Acknowledged data is on disk. */
export class EmbeddedDatabaseStopped extends Error {
  /** SQLSTATE crash_shutdown, so that callers treat the database as unavailable. */
  readonly code = '57P02';

  constructor(reason: string) {
    super(`The embedded database has stopped: ${reason}`);
    this.name = new.target.name;
  }
}

/**
 * The service's side of the database thread. It sends requests and receives answers; when the thread ends, every open request is rejected.
 */
export class DatabaseWorker {
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private ended: EmbeddedDatabaseStopped | undefined;
  private closing = false;

  private constructor(
    private readonly worker: Worker,
    private readonly onFatal: (error: Error) => void,
  ) {}

  /**
   * Resolves when the database takes statements. `onFatal` is called once if it stops afterwards without being asked to.
   * @throws EmbeddedDatabaseStopped when it does not come up.
   */
  static async start(workerFile: string, start: WorkerStart, onFatal: (error: Error) => void): Promise<DatabaseWorker> {
    const self = new DatabaseWorker(new Worker(workerFile, { workerData: start }), onFatal);
    const up = new Promise<unknown>((resolve, reject) => self.waiting.set(0, { resolve, reject }));
    self.worker.on('message', (answer: WorkerAnswer) => self.settle(answer));
    self.worker.on('error', (error: unknown) => self.end(error instanceof Error ? error.message : String(error)));
    self.worker.on('exit', (code) => self.end(`its thread exited with ${code}`));
    await up;
    return self;
  }

  /** Sends complete wire messages and resolves to the database's answer. Transfers the buffer, so the caller must not use it again. */
  async exchange(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
    return this.post((id) => ({ id, kind: 'messages', data }), [data.buffer]);
  }

  /** Shuts the database down and ends the thread, by force after ten seconds. Even a forced end loses no data. */
  async close(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    const notifier = new AbortController();
    const patience = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CLOSE_WITHIN_MS);
      notifier.signal.addEventListener('abort', () => clearTimeout(timer));
    });
    await Promise.race([this.post((id) => ({ id, kind: 'close' })).catch(() => undefined), patience]);
    notifier.abort();
    await this.worker.terminate();
  }

  private post(request: (id: number) => WorkerRequest, transfer: ArrayBuffer[] = []): Promise<Uint8Array | undefined> {
    if (this.ended) return Promise.reject(this.ended);
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage(request(id), transfer);
    });
  }

  private settle({ id, data }: WorkerAnswer): void {
    this.waiting.get(id)?.resolve(data);
    this.waiting.delete(id);
  }

  private end(reason: string): void {
    if (this.ended) return;
    this.ended = new EmbeddedDatabaseStopped(reason);
    const wasUp = !this.waiting.has(0);
    for (const { reject } of this.waiting.values()) reject(this.ended);
    this.waiting.clear();
    if (wasUp && !this.closing) this.onFatal(this.ended);
  }
}
