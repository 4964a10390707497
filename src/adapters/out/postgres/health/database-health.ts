import { Unavailable } from '../../../../domain/shared/errors';
import type { Log } from '../../../../domain/shared/ports';
import { stateOf } from '../postgres-errors';

/** Why the database cannot serve; `undefined`: it can. `database-error`: it refuses what it took before, such as for a missing right. */
type Reason = string | undefined;

/** A result lasts for so long, in milliseconds, so that frequent checks cost the database little. */
const goodForMs = 2000;
/** The health is checked without a request, too, so that the log names the problem where nobody asks. */
const everyMs = 15_000;
/** Who asks hears after so long that the database does not answer. */
const answerWithinMs = 3000;

interface Deps {
  /** Writes a little. Throws Unavailable where the database cannot serve. */
  readonly write: () => Promise<void>;
  readonly log: Log;
  /** Milliseconds that only rise. */
  readonly now?: () => number;
}

/**
 * Whether the database takes writes, and if not, why: the reasons of `/health/ready`. Each change is one line of the log, with the SQLSTATE.
 * Nobody who asks waits longer than three seconds.
 */
export class DatabaseHealth {
  private reason: Reason;
  private lookedAt = -Infinity;
  private looking: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly now: () => number;

  constructor(private readonly deps: Deps) {
    this.now = deps.now ?? (() => performance.now());
  }

  /** Looks now and then by itself, until `stop`. Keeps no process alive. */
  start(): void {
    this.timer = setInterval(() => void this.reasons(), everyMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  /** Empty: it can serve. Found at most two seconds ago, or now. */
  async reasons(): Promise<readonly string[]> {
    if (this.now() - this.lookedAt >= goodForMs) await this.look();
    return this.reason === undefined ? [] : [this.reason];
  }

  private async look(): Promise<void> {
    this.looking ??= this.write().finally(() => (this.looking = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), answerWithinMs)));
    if ((await Promise.race([this.looking, late])) === 'late') this.found('database-busy');
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
    this.lookedAt = this.now();
    if (reason === this.reason) return;
    this.reason = reason;
    if (reason === undefined) this.deps.log.info('database-serves-again', {});
    else this.deps.log.error('database-cannot-serve', { reason, sqlstate });
  }
}
