import cluster, { type Worker } from 'node:cluster';
import type { Log } from '../../domain/shared/ports';

interface Deps {
  /** The number of serving processes. */
  readonly count: number;
  readonly log: Log;
  /** How long they may take to stop, in milliseconds. After that they are killed. */
  readonly stopWithinMs: number;
}

/** The milliseconds before an ended process is replaced. They double each time and start again after a minute without an end. */
const replaceAfterMs = { first: 100, max: 10_000 } as const;
const resetAfterMs = 60_000;
/** When a supervisor signals every process, this process may receive the signal up to this many milliseconds after a serving one. */
const groupSignalMs = 1000;

/**
 * Processes of one machine that share a port (node:cluster, round-robin). They share only the port; everything else is in Postgres, as
 * between machines. This process serves nothing; it replaces processes that end unexpectedly.
 */
export class ServingProcesses {
  private phase: 'starting' | 'serving' | 'stopping' = 'starting';
  private waitMs: number = replaceAfterMs.first;
  private lastEnd = -Infinity;
  private readonly replacing = new Set<NodeJS.Timeout>();

  constructor(private readonly deps: Deps) {}

  /**
   * Resolves to the port when all processes listen. Rejects when one ends before that, which has logged the reason, or when `stopped` is
   * aborted. After a rejection the caller must still stop the running ones.
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
          if (wasStopped(code, signal)) setTimeout(refuse, groupSignalMs);
          else refuse();
        }
        if (this.phase === 'serving') this.replace(worker, signal || code);
      });
      for (let made = 0; made < count; made++) this.fork();
    });
  }

  /** Stops all processes at the same time, each in order. True: all ended normally and in time. */
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
    // The primary has migrated the tables before the first of them starts.
    cluster.fork({ MIGRATE: 'off' });
  }

  private replace(worker: Worker, ended: string | number): void {
    const now = performance.now();
    this.waitMs = now - this.lastEnd > resetAfterMs ? replaceAfterMs.first : Math.min(2 * this.waitMs, replaceAfterMs.max);
    this.lastEnd = now;
    this.deps.log.error('worker-ended', { worker: worker.id, pid: worker.process.pid, ended, replaced_in_ms: this.waitMs });
    const timer = setTimeout(() => {
      this.replacing.delete(timer);
      this.fork();
    }, this.waitMs);
    this.replacing.add(timer);
  }
}

/** Whether the process stopped in order, or got a stop signal before it listened. */
const wasStopped = (code: number, signal: string): boolean => code === 0 || signal === 'SIGTERM' || signal === 'SIGINT';

/** True: the process ended as requested. */
function endOf(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => {
      resolve(wasStopped(code, signal));
    });
    worker.process.kill('SIGTERM');
  });
}
