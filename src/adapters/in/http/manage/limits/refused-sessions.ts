import type { IncomingMessage } from 'node:http';
import type { Log } from '../../../../../domain/shared/ports';
import { sessionToken } from '../session-cookie';
import { refusedFor } from './partner-throttle';

interface Deps {
  /** What a session is known by. */
  readonly digestOf: (token: string) => string;
  /** PUBLIC_BASE_URL: it names the cookie. */
  readonly publicBaseUrl: string;
  readonly log: Log;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/**
 * Sessions of partners' accounts whose calls are refused for a second, by their digests: whoever calls again at once is refused before the
 * session is looked up, as a look-up for every refusal would be a load of its own.
 */
export class RefusedSessions {
  private readonly until = new Map<string, number>();
  private refused = 0;

  constructor(private readonly deps: Deps) {}

  /** Refuses this session from now on, for the time that its `Retry-After` says. */
  add(digest: string, partner: string): void {
    const now = this.deps.now();
    for (const [one, until] of this.until) if (until <= now) this.until.delete(one);
    this.refused++;
    if (this.until.has(digest)) return;
    this.until.set(digest, now + refusedFor.seconds * 1000);
    this.deps.log.warn('manage.throttled', { partner, refused: this.refused });
    this.refused = 0;
  }

  /** Whether a request is refused by its session. */
  refuses({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
    if (this.until.size === 0 || headers.authorization !== undefined) return false;
    const token = sessionToken({ headers }, this.deps.publicBaseUrl);
    const until = token === undefined ? undefined : this.until.get(this.deps.digestOf(token));
    if (until === undefined || until <= this.deps.now()) return false;
    this.refused++;
    return true;
  }
}
