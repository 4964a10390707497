import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../../../domain/shared/errors';
import type { CaseExplainer } from '../../../../domain/credentials/explain/case-explainer';
import type { Explanation } from '../../../../domain/credentials/explain/explanation';
import type { SignatureCase } from '../../../../domain/credentials/explain/signature-case';
import type { Log } from '../../../../domain/shared/ports';
import { messageOf } from './case-message';

interface Options {
  /** The path of the compiled explain-worker. */
  readonly workerFile: string;
  readonly log: Log;
  /** The maximum milliseconds for one case before its thread is terminated; 5,000 by default. The search itself stops after 750. */
  readonly budgetMs?: number;
  /** The maximum number of cases that wait for the thread; 20 by default. */
  readonly maxWaiting?: number;
}

const usualBudgetMs = 5_000;
const usuallyWaiting = 20;
/** The milliseconds after which an idle thread is terminated: it uses 20 MB and still holds the data that it has read. */
const idleMs = 30_000;
/** The maximum heap of the thread in megabytes; beyond it the thread ends. */
const heapMb = 256;

/**
 * Explains signature cases in one worker thread, one after another. A thread that fails or takes too long is terminated, and the next case
 * gets a new one. Throws Unavailable: `explanation-too-long`, `explanation-failed`, `too-many-explanations`.
 */
export class WorkerExplainer implements CaseExplainer {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  constructor(private readonly options: Options) {}

  explain(theCase: SignatureCase): Promise<Explanation> {
    if (this.waiting >= (this.options.maxWaiting ?? usuallyWaiting)) return Promise.reject(new Unavailable('too-many-explanations', 5));
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
    // Waiting calls are rejected elsewhere; without this listener an error of the thread would end the service.
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
