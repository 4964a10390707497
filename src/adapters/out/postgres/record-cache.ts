import { LRUCache } from 'lru-cache';
import { noFeed, type ChangeFeed } from './change-feed';

/** A record as it was read, and what tells that state of it from any other; both absent where there is none. */
export interface Loaded<T> {
  readonly record?: T | undefined;
  readonly stamp?: string | undefined;
}

interface Entry<T> extends Loaded<T> {
  readonly readAt: number;
  /** What all who ask are given: nothing is made for one who asks for what is known. */
  readonly answer: Promise<T | undefined>;
}

interface Reading<T> {
  readonly readAt: number;
  readonly record: Promise<T | undefined>;
}

/** Where records are read from. `known` is what was read before: where its stamp still holds, it is the answer. */
export type Load<T> = (key: string, known: Loaded<T> | undefined) => Promise<Loaded<T>>;

interface Freshness {
  /** Hears of changes made elsewhere; nobody where absent. */
  readonly feed?: ChangeFeed | undefined;
  /** Milliseconds that only rise, the same that the feed goes by; the process clock where absent. */
  readonly now?: (() => number) | undefined;
}

/** How long a record is good by itself, in milliseconds: the ceiling of a revocation. */
const maxAgeMs = 1000;
/** How long one is while the feed covers it: whatever the feed might miss ends then. */
const maxCoveredMs = 60_000;
/** More than ten thousand of a kind: who calls by turns over all of them must not drive out the very one that is next. */
const maxEntries = 25_000;
/** Names of nothing have room of their own: whoever makes them up drives no record out. */
const maxAbsent = 1000;

/**
 * Records at most a second behind what is stored, counted from before they were read. Those that the feed covers need no
 * second look. An unchanged record stays the same object. That there is none is known as long. Many who ask at once share
 * one reading; a reading that fails is not kept, and one that a change overtook is done again.
 */
export class RecordCache<T> {
  private readonly entries = new LRUCache<string, Entry<T>>({ max: maxEntries });
  /** When it was read that there is none. */
  private readonly absent = new LRUCache<string, number>({ max: maxAbsent });
  private readonly nothing = Promise.resolve(undefined);
  private readonly readings = new Map<string, Reading<T>>();
  private readonly feed: ChangeFeed;
  private readonly now: () => number;

  constructor(
    private readonly load: Load<T>,
    { feed = noFeed, now = () => performance.now() }: Freshness = {},
  ) {
    this.feed = feed;
    this.now = now;
  }

  get(key: string): Promise<T | undefined> {
    const entry = this.entries.get(key);
    if (entry && this.isFresh(entry.readAt)) return entry.answer;
    const absentAt = entry ? undefined : this.absent.get(key);
    if (absentAt !== undefined && this.isFresh(absentAt)) return this.nothing;
    const running = this.readings.get(key);
    if (running && this.isFresh(running.readAt)) return running.record;
    return this.read(key, entry);
  }

  /** The next who asks reads anew; a reading under way is not kept. */
  forget(key: string): void {
    this.entries.delete(key);
    this.absent.delete(key);
    this.readings.delete(key);
  }

  /** Forgets every key that is chosen. */
  forgetWhere(chosen: (key: string) => boolean): void {
    for (const key of [...this.entries.keys(), ...this.absent.keys(), ...this.readings.keys()]) if (chosen(key)) this.forget(key);
  }

  private isFresh(readAt: number): boolean {
    const age = this.now() - readAt;
    return age < maxAgeMs || (age < maxCoveredMs && this.feed.covers(readAt));
  }

  private read(key: string, known: Entry<T> | undefined): Promise<T | undefined> {
    const readAt = this.now();
    const isWanted = (): boolean => this.readings.get(key) === reading;
    const record = this.load(key, known)
      .then((loaded) => {
        if (!isWanted()) return this.get(key);
        this.keep(key, loaded, readAt);
        return loaded.record;
      })
      .finally(() => {
        if (isWanted()) this.readings.delete(key);
      });
    const reading: Reading<T> = { readAt, record };
    this.readings.set(key, reading);
    return record;
  }

  private keep(key: string, { record, stamp }: Loaded<T>, readAt: number): void {
    if (record === undefined) {
      this.entries.delete(key);
      this.absent.set(key, readAt);
    } else {
      this.absent.delete(key);
      this.entries.set(key, { record, stamp, readAt, answer: Promise.resolve(record) });
    }
  }
}
