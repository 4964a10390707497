import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../../../domain/shared/errors';
import type { CaseExplainer } from '../../../../domain/credentials/explain/case-explainer';
import type { Explanation } from '../../../../domain/credentials/explain/explanation';
import type { SignatureCase } from '../../../../domain/credentials/explain/signature-case';
import type { Log } from '../../../../domain/shared/ports';
import { messageOf } from './case-message';

interface Options {
  /** The compiled explain-worker. */
  readonly workerFile: string;
  readonly log: Log;
  /** Milliseconds that one case may take before its thread is ended; 5,000. The search itself stops after 750. */
  readonly budgetMs?: number;
  /** Cases that may wait for the thread; 20. */
  readonly mostWaiting?: number;
}

const usualBudgetMs = 5_000;
const usuallyWaiting = 20;
/** An idle thread is ended: it holds 20 MB, and what it has read. */
const idleMs = 30_000;
/** Megabytes of a thread's heap; beyond that it ends. */
const heapMb = 256;

/**
 * Explains in one worker thread, one case after another. A thread whose case takes too long is ended, as is one that fails; the
 * next case gets a new one. Throws Unavailable: `explanation-too-long`, `explanation-failed`, `too-many-explanations`.
 */
export class WorkerExplainer implements CaseExplainer {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  constructor(private readonly options: Options) {}

  explain(theCase: SignatureCase): Promise<Explanation> {
    if (this.waiting >= (this.options.mostWaiting ?? usuallyWaiting)) return Promise.reject(new Unavailable('too-many-explanations', 5));
    this.waiting++;
    const explained = this.last.then(() => this.run(theCase)).finally(() => this.waiting--);
    this.last = explained.catch(() => undefined);
    return explained;
  }

  private async run(theCase: SignatureCase): Promise<Explanation> {
    clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    worker.ref();
    try {
      return await this.answerOf(worker, theCase);
    } catch (error) {
      this.end(worker);
      if (error instanceof Unavailable) this.options.log.warn('explanation.ended', { cause: error.details.cause ?? '' });
      throw error;
    } finally {
      worker.unref();
      this.idle = setTimeout(() => this.end(worker), idleMs).unref();
    }
  }

  private answerOf(worker: Worker, theCase: SignatureCase): Promise<Explanation> {
    const { budgetMs = usualBudgetMs } = this.options;
    return new Promise<Explanation>((resolve, reject) => {
      const over = (settle: () => void): void => {
        clearTimeout(timer);
        worker.off('message', answered).off('error', died).off('exit', died);
        settle();
      };
      const answered = (explanation: Explanation): void => over(() => resolve(explanation));
      const died = (): void => over(() => reject(new Unavailable('explanation-failed')));
      const timer = setTimeout(() => over(() => reject(new Unavailable('explanation-too-long'))), budgetMs);
      worker.on('message', answered).on('error', died).on('exit', died);
      worker.postMessage(messageOf(theCase));
    });
  }

  private start(): Worker {
    const worker = new Worker(this.options.workerFile, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    // Whoever waits hears of it; without a listener an error of the thread would end the service.
    worker.on('error', () => this.forget(worker)).on('exit', () => this.forget(worker));
    return worker;
  }

  private end(worker: Worker): void {
    this.forget(worker);
    void worker.terminate();
  }

  private forget(worker: Worker): void {
    if (this.worker === worker) this.worker = undefined;
  }
}
