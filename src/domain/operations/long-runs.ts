import type { ChangeOrigin } from '../partners/partner-draft';
import { errorFields } from '../shared/fault';
import type { Clock, IdGenerator, Log } from '../shared/ports';
import { AlreadyRunning, UnknownOperation } from './operations-errors';
import type { LongRun, RunRepository, RunStart, RunState } from './ports';

interface Deps<Request, Progress> {
  readonly repository: RunRepository<Request, Progress>;
  /** The name in the audit trail and the log: `conformance-run`. */
  readonly kind: string;
  readonly ids: IdGenerator;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reports the progress of the work. Resolves to true if it must stop. */
export type Report<Progress> = (progress: Progress) => Promise<boolean>;

/** Does the work, and resolves to the final progress. */
type Work<Progress> = (report: Report<Progress>) => Promise<Progress>;

type StartCommand<Request, Progress> = Omit<RunStart<Request, Progress>, 'id'> & ChangeOrigin & { readonly reason?: string | undefined };

/** Starts work that takes minutes, stores its progress, and stops it on request. */
export class LongRuns<Request, Progress> {
  private readonly inFlight = new Set<Promise<void>>();
  private stopping = false;

  constructor(private readonly deps: Deps<Request, Progress>) {}

  /** Resolves as soon as the run has started. Throws AlreadyRunning. */
  async start(
    { actor, requestId, reason, ...run }: StartCommand<Request, Progress>,
    work: Work<Progress>,
  ): Promise<LongRun<Request, Progress>> {
    const id = this.deps.ids.next();
    const audit = this.entry('started', id, { actor, requestId }, { subject: run.subject, ...(reason !== undefined && { reason }) });
    const started = await this.deps.repository.start({ ...run, id }, audit);
    if (!started) throw new AlreadyRunning();
    const running = this.drive(id, run.progress, work).finally(() => this.inFlight.delete(running));
    this.inFlight.add(running);
    return started;
  }

  /** Requests that a run stops after its current step. A run that has ended meanwhile stays as it is. Throws UnknownOperation. */
  async cancel({ id, ...origin }: ChangeOrigin & { readonly id: string }): Promise<LongRun<Request, Progress>> {
    const { repository } = this.deps;
    const run = (await repository.cancel(id, this.entry('cancelled', id, origin))) ?? (await repository.find(id));
    if (!run) throw new UnknownOperation();
    return run;
  }

  /** Stops all runs after their current step, as interrupted, because the process ends. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.inFlight);
  }

  private async drive(id: string, first: Progress, work: Work<Progress>): Promise<void> {
    const { repository, kind, log } = this.deps;
    let [progress, cancelled] = [first, false];
    const report: Report<Progress> = async (now) => {
      progress = now;
      cancelled = (await repository.beat(id, now)) || cancelled;
      return cancelled || this.stopping;
    };
    let state: RunState;
    try {
      progress = await work(report);
      state = cancelled ? 'cancelled' : this.stopping ? 'interrupted' : 'done';
    } catch (error) {
      log.error(`${kind}.failed`, { id, ...errorFields(error) });
      state = 'failed';
    }
    await repository.end(id, state, progress).catch((error: unknown) => {
      log.error(`${kind}.not-ended`, { id, ...errorFields(error) });
    });
  }

  private entry(what: string, id: string, { actor, requestId }: ChangeOrigin, after?: object) {
    const { kind, clock } = this.deps;
    const subject = `${kind}:${id}`;
    return { actor, action: `${kind}.${what}`, subject, requestId, at: clock.now(), ...(after && { after }) };
  }
}
