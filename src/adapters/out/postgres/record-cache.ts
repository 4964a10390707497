import { LRUCache } from 'lru-cache';

/** A record as it was read, and what tells that state of it from any other; both absent where there is none. */
export interface Loaded<T> {
  readonly record?: T | undefined;
  readonly stamp?: string | undefined;
}

interface Entry<T> extends Loaded<T> {
  readonly readAt: number;
}

/** Where records are read from. `known` is what was read before: where its stamp still holds, it is the answer. */
export type Load<T> = (key: string, known: Loaded<T> | undefined) => Promise<Loaded<T>>;

const maxAgeMs = 1000;
const maxEntries = 10_000;

/**
 * Records that are at most a second old, counted from before they were read. An unchanged record stays the same object.
 * That there is none is known as long. Many who ask at once share one reading; a reading that fails is not kept.
 */
export class RecordCache<T> {
  private readonly entries = new LRUCache<string, Entry<T>>({ max: maxEntries });
  private readonly readings = new Map<string, Promise<T | undefined>>();

  constructor(
    private readonly load: Load<T>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async get(key: string): Promise<T | undefined> {
    const entry = this.entries.get(key);
    if (entry && this.now() - entry.readAt < maxAgeMs) return entry.record;
    const running = this.readings.get(key);
    if (running) return running;
    const reading: Promise<T | undefined> = this.read(key, entry, () => this.readings.get(key) === reading).finally(() => {
      if (this.readings.get(key) === reading) this.readings.delete(key);
    });
    this.readings.set(key, reading);
    return reading;
  }

  /** The next who asks reads anew; a reading under way is not kept. */
  forget(key: string): void {
    this.entries.delete(key);
    this.readings.delete(key);
  }

  /** Forgets every key that is chosen. */
  forgetWhere(chosen: (key: string) => boolean): void {
    for (const key of [...this.entries.keys(), ...this.readings.keys()]) if (chosen(key)) this.forget(key);
  }

  private async read(key: string, known: Entry<T> | undefined, isWanted: () => boolean): Promise<T | undefined> {
    const readAt = this.now();
    const { record, stamp } = await this.load(key, known);
    if (isWanted()) this.entries.set(key, { record, stamp, readAt });
    return record;
  }
}
