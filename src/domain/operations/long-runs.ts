import type { ChangeOrigin } from '../partners/partner-draft';
import { factsOfFault } from '../shared/fault';
import type { Clock, IdSource, Log } from '../shared/ports';
import { AlreadyRunning, UnknownOperation } from './operations-errors';
import type { LongRun, RunBook, RunStart, RunState } from './ports';

interface Deps<Request, Progress> {
  readonly book: RunBook<Request, Progress>;
  /** As it is called in the audit trail and the log: `conformance-run`. */
  readonly kind: string;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Log;
}

/** Tells how far the work is. Resolves to true where it is to stop. */
export type Report<Progress> = (progress: Progress) => Promise<boolean>;

/** Resolves to how far it came. */
type Work<Progress> = (report: Report<Progress>) => Promise<Progress>;

type StartCommand<Request, Progress> = Omit<RunStart<Request, Progress>, 'id'> & ChangeOrigin & { readonly reason?: string | undefined };

/** Starts work that takes minutes, shows how far it is, and stops it on request. */
export class LongRuns<Request, Progress> {
  private readonly underWay = new Set<Promise<void>>();
  private stopping = false;

  constructor(private readonly deps: Deps<Request, Progress>) {}

  /** Resolves as soon as it runs. Throws AlreadyRunning. */
  async start(
    { actor, requestId, reason, ...run }: StartCommand<Request, Progress>,
    work: Work<Progress>,
  ): Promise<LongRun<Request, Progress>> {
    const id = this.deps.ids.next();
    const audit = this.entry('started', id, { actor, requestId }, { subject: run.subject, ...(reason !== undefined && { reason }) });
    const started = await this.deps.book.start({ ...run, id }, audit);
    if (!started) throw new AlreadyRunning();
    const running = this.drive(id, run.progress, work).finally(() => this.underWay.delete(running));
    this.underWay.add(running);
    return started;
  }

  /** Asks it to stop; it does after the step under way. One that has ended meanwhile stays as it is. Throws UnknownOperation. */
  async cancel({ id, ...origin }: ChangeOrigin & { readonly id: string }): Promise<LongRun<Request, Progress>> {
    const { book } = this.deps;
    const run = (await book.cancel(id, this.entry('cancelled', id, origin))) ?? (await book.find(id));
    if (!run) throw new UnknownOperation();
    return run;
  }

  /** The process ends: what runs stops after the step under way, as interrupted. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.underWay);
  }

  private async drive(id: string, first: Progress, work: Work<Progress>): Promise<void> {
    const { book, kind, log } = this.deps;
    let [progress, cancelled] = [first, false];
    const report: Report<Progress> = async (now) => {
      progress = now;
      cancelled = (await book.beat(id, now)) || cancelled;
      return cancelled || this.stopping;
    };
    let state: RunState;
    try {
      progress = await work(report);
      state = cancelled ? 'cancelled' : this.stopping ? 'interrupted' : 'done';
    } catch (error) {
      log.error(`${kind}.failed`, { id, ...factsOfFault(error) });
      state = 'failed';
    }
    await book.end(id, state, progress).catch((error: unknown) => {
      log.error(`${kind}.not-ended`, { id, ...factsOfFault(error) });
    });
  }

  private entry(what: string, id: string, { actor, requestId }: ChangeOrigin, after?: object) {
    const { kind, clock } = this.deps;
    const subject = `${kind}:${id}`;
    return { actor, action: `${kind}.${what}`, subject, requestId, at: clock.now(), ...(after && { after }) };
  }
}
