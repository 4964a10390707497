import { LRUCache } from 'lru-cache';
import { ownText } from '../../../../domain/shared/own-text';
import { noFeed, type ChangeFeed } from '../changes/change-feed';
import { BackgroundFlush } from '../connection/background-flush';
import { lazilySized } from '../connection/lazily-sized';

/** A record and its row version at the time of reading. Both are absent when there is no record. */
export interface Loaded<T> {
  readonly record?: T | undefined;
  readonly rowVersion?: string | undefined;
}

interface Entry<T> extends Loaded<T> {
  readonly key: string;
  /** When the record was read, or when its row version was last confirmed. */
  readAt: number;
  /** The entry is queued for a check of its row version. */
  isDue: boolean;
  /** All callers share this promise, so a cache hit allocates nothing. */
  readonly answer: Promise<T | undefined>;
}

interface Reading<T> {
  readonly readAt: number;
  readonly record: Promise<T | undefined>;
}

/** The source of the cached records. */
export interface RecordSource<T> {
  /** Reads a record. `known` is the earlier reading; it is returned while its row version is current. */
  readonly load: (key: string, known: Loaded<T> | undefined) => Promise<Loaded<T>>;
  /** The current row versions, in the order of the keys; absent where records have none. */
  readonly rowVersions?: (keys: readonly string[]) => Promise<readonly (string | undefined)[]>;
}

interface Freshness {
  /** Reports changes made by other instances. Absent: none are reported. */
  readonly feed?: ChangeFeed | undefined;
  /** A monotonic clock in milliseconds, the same one as the feed's. Defaults to the process clock. */
  readonly now?: (() => number) | undefined;
}

/** How long a record without feed coverage is used, in milliseconds. It limits how long a revoked credential still works. */
const maxAgeMs = 1000;
/** How long a record covered by the feed is used, in milliseconds. It limits the effect of a change that the feed missed. */
const maxCoveredMs = 60_000;
/** From this age on, a covered record in use is checked in the background, so that few calls wait for a check. */
const dueMs = 30_000;
const checkAfterMs = 1000;
/** The maximum number of records per check: a statement of about a millisecond. */
const maxCheckGroup = 256;
/** Larger than 10,000, so that calls to every partner in rotation do not evict the next one needed. */
const maxEntries = 25_000;
/** Misses are cached separately, so that invented ids evict no record. */
const maxAbsent = 1000;

/**
 * Caches records that lag the database by at most one second, counted from before the read. Records covered by the feed are checked only
 * once a minute; those in use are checked in groups, without a waiting caller. An unchanged record stays the same object. Misses are cached
 * for as long. Concurrent callers share one read. A failed read is not cached, and a read that a change overtook is repeated.
 */
export class RecordCache<T> {
  private readonly entries = new LRUCache<string, Entry<T>>(lazilySized(maxEntries));
  /** When each miss was read. */
  private readonly absent = new LRUCache<string, number>({ max: maxAbsent });
  private readonly nothing = Promise.resolve(undefined);
  private readonly readings = new Map<string, Reading<T>>();
  private due: Entry<T>[] = [];
  private readonly checks = new BackgroundFlush({
    afterMs: () => checkAfterMs,
    isEmpty: () => this.due.length === 0,
    work: () => this.checkDue(),
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
    // peek(), not get(): refreshing the LRU order on every hit would cost three writes.
    const entry = this.entries.peek(key);
    if (entry && this.isFresh(entry.readAt, now)) return this.known(entry, now);
    const absentAt = entry ? undefined : this.absent.get(key);
    if (absentAt !== undefined && this.isFresh(absentAt, now)) return this.nothing;
    const running = this.readings.get(key);
    if (running && this.isFresh(running.readAt, now)) return running.record;
    return this.read(key, entry);
  }

  /** Drops the record. The next call reads it again; a read in flight is not cached. */
  forget(key: string): void {
    this.entries.delete(key);
    this.absent.delete(key);
    this.readings.delete(key);
  }

  /** Checks the row versions of due records; a record with a current version counts as read now. Never fails. */
  async checkDue(): Promise<void> {
    const due = this.due;
    this.due = [];
    for (let at = 0; at < due.length; at += maxCheckGroup) await this.checkRowVersions(due.slice(at, at + maxCheckGroup));
  }

  /** Drops every key that the predicate selects. */
  forgetWhere(chosen: (key: string) => boolean): void {
    for (const key of [...this.entries.keys(), ...this.absent.keys(), ...this.readings.keys()]) if (chosen(key)) this.forget(key);
  }

  private known(entry: Entry<T>, now: number): Promise<T | undefined> {
    if (!entry.isDue && now - entry.readAt >= dueMs && this.source.rowVersions) {
      entry.isDue = true;
      this.due.push(entry);
      this.checks.wake();
    }
    return entry.answer;
  }

  private async checkRowVersions(entries: readonly Entry<T>[]): Promise<void> {
    const checkedAt = this.now();
    // If the database is unavailable, the record stays and expires; callers get the error after that.
    const rowVersions = await this.source.rowVersions?.(entries.map(({ key }) => key)).catch(() => undefined);
    entries.forEach((entry, index) => {
      entry.isDue = false;
      if (!rowVersions) return;
      const isKept = this.entries.get(entry.key) === entry;
      if (rowVersions[index] === entry.rowVersion) entry.readAt = checkedAt;
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

  private keep(name: string, { record, rowVersion }: Loaded<T>, readAt: number): void {
    const key = ownText(name);
    if (record === undefined) {
      this.entries.delete(key);
      this.absent.set(key, readAt);
    } else {
      this.absent.delete(key);
      this.entries.set(key, { key, record, rowVersion, readAt, isDue: false, answer: Promise.resolve(record) });
    }
  }
}
