import type { IncomingMessage } from 'node:http';
import type { Log } from '../../../../../domain/shared/ports';
import { sessionToken } from '../http/session-cookie';
import { refusedFor } from './partner-throttle';

interface Deps {
  /** Digest of a session token. */
  readonly digestOf: (token: string) => string;
  /** PUBLIC_BASE_URL; the cookie's name depends on it. */
  readonly publicBaseUrl: string;
  readonly log: Log;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/**
 * Sessions of partners' accounts whose calls are refused for a second, by digest. Repeated calls are refused without a session lookup,
 * because a lookup per refusal would be a load of its own.
 */
export class RefusedSessions {
  private readonly until = new Map<string, number>();
  private refused = 0;

  constructor(private readonly deps: Deps) {}

  /** Refuses this session's calls from now on, for the time of its `Retry-After`. */
  add(digest: string, partner: string): void {
    const now = this.deps.now();
    for (const [one, until] of this.until) if (until <= now) this.until.delete(one);
    this.refused++;
    if (this.until.has(digest)) return;
    this.until.set(digest, now + refusedFor.seconds * 1000);
    this.deps.log.warn('manage.throttled', { partner, refused: this.refused });
    this.refused = 0;
  }

  /** Whether the request belongs to a refused session. */
  refuses({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
    if (this.until.size === 0 || headers.authorization !== undefined) return false;
    const token = sessionToken({ headers }, this.deps.publicBaseUrl);
    const until = token === undefined ? undefined : this.until.get(this.deps.digestOf(token));
    if (until === undefined || until <= this.deps.now()) return false;
    this.refused++;
    return true;
  }
}
