import type { LookupAddress } from 'node:dns';
import { LRUCache } from 'lru-cache';
import { caresQuery, NameNotResolved, type Found, type NameQuery } from './name-query';
import { systemNamesReader, type SystemNames } from './system-names';

/** Resolves all addresses of a name. With an error there are none. */
export type Resolve = (hostname: string, done: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

interface Deps {
  /** The DNS servers as `address[:port]`. Absent: those of the system. */
  readonly servers?: readonly string[] | undefined;
  /** How long a caller waits for a lookup, in milliseconds; 2,000 by default. */
  readonly deadlineMs?: number;
  readonly query?: NameQuery;
  readonly names?: () => Promise<SystemNames>;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** How long results are cached, in milliseconds. */
const bounds = { min: 5_000, max: 60_000, none: 5_000, afterFailure: 600_000 };
/** The maximum number of lookups in flight. Beyond it, unknown names are not looked up. */
const maxLookups = 500;
const maxNames = 10_000;

/** The result of a lookup: its addresses, or why there are none. */
interface Known {
  readonly addresses: readonly LookupAddress[];
  readonly error: NameNotResolved | null;
  /** The end of its validity. */
  readonly until: number;
  /** When a server last answered with the addresses. */
  readonly resolvedAt: number;
  /** The last lookup failed: callers get the old addresses and do not wait for the next lookup. */
  readonly isOld: boolean;
}

/**
 * Resolves names, with one lookup per name at a time. Addresses are cached for their TTL (5 s to 60 s), missing names for 5 s. When no
 * server answers, the last known addresses stay valid for ten more minutes, and lookups of different names do not wait for each other.
 * Source: ADR 058.
 */
export class NameResolver {
  private readonly known = new LRUCache<string, Known>({ max: maxNames });
  private readonly inFlight = new Map<string, Promise<Known>>();
  private readonly query: NameQuery;
  private readonly names: () => Promise<SystemNames>;
  private readonly now: () => number;
  private readonly deadlineMs: number;

  constructor({ servers, deadlineMs = 2_000, query = caresQuery(servers), now = () => performance.now(), names }: Deps = {}) {
    this.query = query;
    this.now = now;
    this.names = names ?? systemNamesReader(now);
    this.deadlineMs = deadlineMs;
  }

  readonly resolve: Resolve = (hostname, done) => {
    const name = hostname.toLowerCase();
    const known = this.known.get(name);
    if (known && (this.now() < known.until || (known.isOld && known.addresses.length > 0))) {
      if (this.now() >= known.until) void this.lookup(name);
      done(known.error, known.addresses);
      return;
    }
    void this.inTime(this.lookup(name), name).then(({ error, addresses }) => done(error, addresses));
  };

  private lookup(name: string): Promise<Known> {
    const running = this.inFlight.get(name);
    if (running) return running;
    if (this.inFlight.size >= maxLookups) return Promise.resolve(this.withoutAnswer(name));
    const lookup = this.refresh(name).finally(() => this.inFlight.delete(name));
    this.inFlight.set(name, lookup);
    return lookup;
  }

  private async refresh(name: string): Promise<Known> {
    try {
      return this.keep(name, this.asKnown(await this.query(name, await this.names())));
    } catch (error) {
      const isFinal = error instanceof NameNotResolved && error.isFinal;
      return this.keep(name, isFinal ? this.asNone(error) : this.withoutAnswer(name));
    }
  }

  /** Limits the wait of callers to the deadline. A later answer is cached for later callers. */
  private inTime(lookup: Promise<Known>, name: string): Promise<Known> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(this.keep(name, this.withoutAnswer(name))), this.deadlineMs);
      void lookup.then((known) => {
        clearTimeout(timer);
        resolve(known);
      });
    });
  }

  private asKnown({ addresses, ttlMs }: Found): Known {
    const resolvedAt = this.now();
    const until = resolvedAt + Math.min(Math.max(ttlMs, bounds.min), bounds.max);
    return { addresses, error: null, until, resolvedAt, isOld: false };
  }

  private asNone(error: NameNotResolved): Known {
    return { addresses: [], error, until: this.now() + bounds.none, resolvedAt: 0, isOld: false };
  }

  /** No server answered: the last result stays valid for a while, because a partner's addresses rarely change. */
  private withoutAnswer(name: string): Known {
    const before = this.known.get(name);
    const isUsable = before !== undefined && before.addresses.length > 0 && this.now() - before.resolvedAt < bounds.afterFailure;
    if (!isUsable) return this.asNone(new NameNotResolved(false));
    return { ...before, until: this.now() + bounds.none, isOld: true };
  }

  private keep(name: string, known: Known): Known {
    this.known.set(name, known);
    return known;
  }
}
