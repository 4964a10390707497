import type { LookupAddress } from 'node:dns';
import { LRUCache } from 'lru-cache';
import { caresQuery, NameNotResolved, type Found, type NameQuery } from './name-query';
import { systemNamesReader, type SystemNames } from './system-names';

/** Asks for every address of a name; with an error there are none to look at. */
export type Resolve = (hostname: string, done: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

interface Deps {
  /** `address[:port]`; absent: those of the system. */
  readonly servers?: readonly string[] | undefined;
  /** For how long a look-up is waited for, in milliseconds; 2,000. */
  readonly deadlineMs?: number;
  readonly query?: NameQuery;
  readonly names?: () => Promise<SystemNames>;
  /** Milliseconds, of any beginning, never going back. */
  readonly now?: () => number;
}

/** Bounds of kept answers, in milliseconds. */
const bounds = { least: 5_000, most: 60_000, none: 5_000, afterFailure: 600_000 };
/** Look-ups under way at a time; beyond them a name that is not known yet is not looked up. */
const mostLookUps = 500;
const mostNames = 10_000;

/** The result of a lookup: its addresses, or why there are none. */
interface Known {
  readonly addresses: readonly LookupAddress[];
  readonly error: NameNotResolved | null;
  /** Until when it is good. */
  readonly until: number;
  /** When the addresses were last heard of. */
  readonly heardAt: number;
  /** The last look-up failed: nobody waits for the next one. */
  readonly isOld: boolean;
}

/**
 * Looks names up, each once at a time. Addresses are kept for their TTL (5 s to 60 s), that there is none for 5 s. Where no
 * server answers, the last known addresses are good for ten minutes more, and each other name waits for no one but itself.
 * Source: ADR 058.
 */
export class NameResolver {
  private readonly known = new LRUCache<string, Known>({ max: mostNames });
  private readonly underWay = new Map<string, Promise<Known>>();
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
      if (this.now() >= known.until) void this.lookUp(name);
      done(known.error, known.addresses);
      return;
    }
    void this.inTime(this.lookUp(name), name).then(({ error, addresses }) => done(error, addresses));
  };

  private lookUp(name: string): Promise<Known> {
    const running = this.underWay.get(name);
    if (running) return running;
    if (this.underWay.size >= mostLookUps) return Promise.resolve(this.withoutAnswer(name));
    const looking = this.ask(name).finally(() => this.underWay.delete(name));
    this.underWay.set(name, looking);
    return looking;
  }

  private async ask(name: string): Promise<Known> {
    try {
      return this.keep(name, this.asKnown(await this.query(name, await this.names())));
    } catch (error) {
      const isFinal = error instanceof NameNotResolved && error.isFinal;
      return this.keep(name, isFinal ? this.asNone(error) : this.withoutAnswer(name));
    }
  }

  /** Those who wait do so no longer than the deadline; an answer that comes later is good for those after them. */
  private inTime(looking: Promise<Known>, name: string): Promise<Known> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(this.keep(name, this.withoutAnswer(name))), this.deadlineMs);
      void looking.then((known) => {
        clearTimeout(timer);
        resolve(known);
      });
    });
  }

  private asKnown({ addresses, ttlMs }: Found): Known {
    const heardAt = this.now();
    const until = heardAt + Math.min(Math.max(ttlMs, bounds.least), bounds.most);
    return { addresses, error: null, until, heardAt, isOld: false };
  }

  private asNone(error: NameNotResolved): Known {
    return { addresses: [], error, until: this.now() + bounds.none, heardAt: 0, isOld: false };
  }

  /** No server said anything: the last result stays good for a while, as a partner's addresses rarely change. */
  private withoutAnswer(name: string): Known {
    const before = this.known.get(name);
    const isUsable = before !== undefined && before.addresses.length > 0 && this.now() - before.heardAt < bounds.afterFailure;
    if (!isUsable) return this.asNone(new NameNotResolved(false));
    return { ...before, until: this.now() + bounds.none, isOld: true };
  }

  private keep(name: string, known: Known): Known {
    this.known.set(name, known);
    return known;
  }
}
