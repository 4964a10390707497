import { Unavailable } from '../../../../domain/shared/errors';
import type { Log } from '../../../../domain/shared/ports';
import { stateOf } from '../connection/postgres-errors';

/**
 * Why the database cannot serve; `undefined` when it can. `database-error`: it refuses statements that it accepted before, for example
 * because a right is missing.
 */
type Reason = string | undefined;

/** A result is reused for this long, in milliseconds, so that frequent checks cost the database little. */
const goodForMs = 2000;
/** The interval of checks without a request, in milliseconds, so that the log names a problem even if no probe calls. */
const everyMs = 15_000;
/** The milliseconds without an answer after which the database is reported as unavailable. */
const answerWithinMs = 3000;

interface Deps {
  /** Performs a small write. Throws Unavailable when the database cannot serve. */
  readonly write: () => Promise<void>;
  readonly log: Log;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Whether the database takes writes, and if not, why: the reasons of `/health/ready`. Logs each change in one line with the SQLSTATE. A
 * caller waits at most three seconds.
 */
export class DatabaseHealth {
  private reason: Reason;
  private checkedAt = -Infinity;
  private checking: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly now: () => number;

  constructor(private readonly deps: Deps) {
    this.now = deps.now ?? (() => performance.now());
  }

  /** Checks periodically until `stop`. Does not keep the process alive. */
  start(): void {
    this.timer = setInterval(() => void this.reasons(), everyMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.checking;
  }

  /** The reasons why the database cannot serve; empty when it can. At most two seconds old. */
  async reasons(): Promise<readonly string[]> {
    if (this.now() - this.checkedAt >= goodForMs) await this.check();
    return this.reason === undefined ? [] : [this.reason];
  }

  private async check(): Promise<void> {
    this.checking ??= this.write().finally(() => (this.checking = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), answerWithinMs)));
    if ((await Promise.race([this.checking, late])) === 'late') this.found('database-busy');
    clearTimeout(timer);
  }

  private async write(): Promise<void> {
    try {
      await this.deps.write();
      this.found(undefined);
    } catch (error) {
      this.found(error instanceof Unavailable ? error.details.cause : 'database-error', stateOf(error));
    }
  }

  private found(reason: Reason, sqlstate?: string): void {
    this.checkedAt = this.now();
    if (reason === this.reason) return;
    this.reason = reason;
    if (reason === undefined) this.deps.log.info('database-serves-again', {});
    else this.deps.log.error('database-cannot-serve', { reason, sqlstate });
  }
}
