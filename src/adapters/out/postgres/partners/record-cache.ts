import { LRUCache } from 'lru-cache';
import { ownText } from '../../../../domain/shared/own-text';
import { noFeed, type ChangeFeed } from '../change-feed';
import { DoneLater } from '../done-later';
import { roomByNeed } from '../room-by-need';

/** A record as it was read, and what tells that state of it from any other; both absent where there is none. */
export interface Loaded<T> {
  readonly record?: T | undefined;
  readonly stamp?: string | undefined;
}

interface Entry<T> extends Loaded<T> {
  readonly key: string;
  /** When it was read, or when its stamp was last seen to hold. */
  readAt: number;
  /** It waits for a look at its stamp. */
  isDue: boolean;
  /** The promise that all callers share: a hit makes nothing. */
  readonly answer: Promise<T | undefined>;
}

interface Reading<T> {
  readonly readAt: number;
  readonly record: Promise<T | undefined>;
}

/** Where records are read from. */
export interface RecordSource<T> {
  /** `known` is the earlier reading: where its stamp still holds, it is the answer. */
  readonly load: (key: string, known: Loaded<T> | undefined) => Promise<Loaded<T>>;
  /** The stamps as they are stored now, in the order of the keys; absent where records have none. */
  readonly stamps?: (keys: readonly string[]) => Promise<readonly (string | undefined)[]>;
}

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
/** From this age on a covered record in use is checked in the background, so that few calls wait for a check. */
const dueMs = 30_000;
const lookAfterMs = 1000;
/** Records of one look: a statement of about a millisecond. */
const lookAtMost = 256;
/** Larger than 10,000, so that calls to every partner in rotation do not evict the next one needed. */
const maxEntries = 25_000;
/** Misses are cached separately, so that invented ids evict no record. */
const maxAbsent = 1000;

/**
 * Records at most a second behind the stored ones, counted from before they were read. Those that the feed covers need a second look once
 * a minute alone; where they are in use they have it by the hundred, and no caller waits for it. An unchanged record stays the same
 * object. That there is none is known as long. Many who ask at once share one reading; a reading that fails is not kept, and one that a
 * change overtook is done again.
 */
export class RecordCache<T> {
  private readonly entries = new LRUCache<string, Entry<T>>(roomByNeed(maxEntries));
  /** When it was read that there is none. */
  private readonly absent = new LRUCache<string, number>({ max: maxAbsent });
  private readonly nothing = Promise.resolve(undefined);
  private readonly readings = new Map<string, Reading<T>>();
  private due: Entry<T>[] = [];
  private readonly looks = new DoneLater({
    afterMs: () => lookAfterMs,
    isEmpty: () => this.due.length === 0,
    work: () => this.lookAgain(),
  });
  private readonly feed: ChangeFeed;
  private readonly now: () => number;

  constructor(
    private readonly source: RecordSource<T>,
    { feed = noFeed, now = () => performance.now() }: Freshness = {},
  ) {
    this.feed = feed;
    this.now = now;
  }

  get(key: string): Promise<T | undefined> {
    const now = this.now();
    // Its turn to be driven out is put off where it is read or looked at, not by everyone who asks: that would write to three more places.
    const entry = this.entries.peek(key);
    if (entry && this.isFresh(entry.readAt, now)) return this.known(entry, now);
    const absentAt = entry ? undefined : this.absent.get(key);
    if (absentAt !== undefined && this.isFresh(absentAt, now)) return this.nothing;
    const running = this.readings.get(key);
    if (running && this.isFresh(running.readAt, now)) return running.record;
    return this.read(key, entry);
  }

  /** The next who asks reads anew; a reading under way is not kept. */
  forget(key: string): void {
    this.entries.delete(key);
    this.absent.delete(key);
    this.readings.delete(key);
  }

  /** Looks at the stamps of those that are due; one that holds makes its record as good as read now. Never fails. */
  async lookAgain(): Promise<void> {
    const due = this.due;
    this.due = [];
    for (let at = 0; at < due.length; at += lookAtMost) await this.lookAt(due.slice(at, at + lookAtMost));
  }

  /** Forgets every key that is chosen. */
  forgetWhere(chosen: (key: string) => boolean): void {
    for (const key of [...this.entries.keys(), ...this.absent.keys(), ...this.readings.keys()]) if (chosen(key)) this.forget(key);
  }

  private known(entry: Entry<T>, now: number): Promise<T | undefined> {
    if (!entry.isDue && now - entry.readAt >= dueMs && this.source.stamps) {
      entry.isDue = true;
      this.due.push(entry);
      this.looks.wake();
    }
    return entry.answer;
  }

  private async lookAt(entries: readonly Entry<T>[]): Promise<void> {
    const lookedAt = this.now();
    // Where the database is away the record grows old, and callers get the error then.
    const stamps = await this.source.stamps?.(entries.map(({ key }) => key)).catch(() => undefined);
    entries.forEach((entry, place) => {
      entry.isDue = false;
      if (!stamps) return;
      const isKept = this.entries.get(entry.key) === entry;
      if (stamps[place] === entry.stamp) entry.readAt = lookedAt;
      else if (isKept) this.forget(entry.key);
    });
  }

  private isFresh(readAt: number, now: number): boolean {
    const age = now - readAt;
    return age < maxAgeMs || (age < maxCoveredMs && this.feed.covers(readAt));
  }

  private read(key: string, known: Entry<T> | undefined): Promise<T | undefined> {
    const readAt = this.now();
    const isWanted = (): boolean => this.readings.get(key) === reading;
    const record = this.source
      .load(key, known)
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

  private keep(asked: string, { record, stamp }: Loaded<T>, readAt: number): void {
    const key = ownText(asked);
    if (record === undefined) {
      this.entries.delete(key);
      this.absent.set(key, readAt);
    } else {
      this.absent.delete(key);
      this.entries.set(key, { key, record, stamp, readAt, isDue: false, answer: Promise.resolve(record) });
    }
  }
}
