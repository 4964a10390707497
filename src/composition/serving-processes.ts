import cluster, { type Worker } from 'node:cluster';
import type { Log } from '../domain/shared/ports';

interface Deps {
  /** Processes that serve. */
  readonly count: number;
  readonly log: Log;
  /** How long they may take to stop, in milliseconds; then they are killed. */
  readonly stopWithinMs: number;
}

/** How long after its end a process is replaced, in milliseconds: twice as long each time, the first again after a quiet minute. */
const replaceAfterMs = { first: 100, most: 10_000 } as const;
const quietMs = 60_000;
/** A supervisor that tells each process to stop reaches this one as late as that, in milliseconds, after one that serves for it. */
const toldTogetherMs = 1000;

/**
 * Processes of one machine that share a port (node:cluster, connections dealt out in turn). They only share the port: all else
 * is in Postgres, as between machines. This one serves nothing; it replaces what ends by itself.
 */
export class ServingProcesses {
  private phase: 'starting' | 'serving' | 'stopping' = 'starting';
  private waitMs: number = replaceAfterMs.first;
  private lastEnd = -Infinity;
  private readonly replacing = new Set<NodeJS.Timeout>();

  constructor(private readonly deps: Deps) {}

  /**
   * Resolves to the port when all of them listen. Rejects where one ends before, which has said why, or where `stopped` is aborted:
   * then those that are there are to be stopped.
   */
  start(stopped?: AbortSignal): Promise<number> {
    const { count, log } = this.deps;
    let listening = 0;
    return new Promise((resolve, reject) => {
      stopped?.throwIfAborted();
      stopped?.addEventListener('abort', () => {
        reject(stopped.reason as Error);
      });
      cluster.on('listening', (worker, { port }) => {
        log.info('worker-listening', { worker: worker.id, pid: worker.process.pid });
        if (++listening < count || this.phase !== 'starting') return;
        this.phase = 'serving';
        resolve(port);
      });
      cluster.on('exit', (worker, code, signal) => {
        if (this.phase === 'starting') {
          const refuse = (): void => reject(new Error(`A serving process ended with ${signal || String(code)} before it served`));
          if (wasTold(code, signal)) setTimeout(refuse, toldTogetherMs);
          else refuse();
        }
        if (this.phase === 'serving') this.replace(worker, signal || code);
      });
      for (let made = 0; made < count; made++) this.fork();
    });
  }

  /** Stops them in order, all at once. True: all ended as they should, in time. */
  async stop(): Promise<boolean> {
    this.phase = 'stopping';
    this.replacing.forEach(clearTimeout);
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const overdue = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    }, this.deps.stopWithinMs);
    const ended = await Promise.all(workers.map(endOf));
    clearTimeout(overdue);
    return ended.every((well) => well);
  }

  private fork(): void {
    // The primary has brought the tables up to date before the first of them starts.
    cluster.fork({ MIGRATE: 'off' });
  }

  private replace(worker: Worker, ended: string | number): void {
    const now = performance.now();
    this.waitMs = now - this.lastEnd > quietMs ? replaceAfterMs.first : Math.min(2 * this.waitMs, replaceAfterMs.most);
    this.lastEnd = now;
    this.deps.log.error('worker-ended', { worker: worker.id, pid: worker.process.pid, ended, replaced_in_ms: this.waitMs });
    const timer = setTimeout(() => {
      this.replacing.delete(timer);
      this.fork();
    }, this.waitMs);
    this.replacing.add(timer);
  }
}

/** Whether it stopped in order, or got the signal before it could listen. */
const wasTold = (code: number, signal: string): boolean => code === 0 || signal === 'SIGTERM' || signal === 'SIGINT';

/** True: it ended as asked. */
function endOf(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => {
      resolve(wasTold(code, signal));
    });
    worker.process.kill('SIGTERM');
  });
}
