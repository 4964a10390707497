import { Unavailable } from '../../../domain/shared/errors';
import { isConflict } from './postgres-errors';

interface Deps<Item, Result> {
  /** One statement for all of them, committed when it resolves; the results in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items in one statement at most. */
  readonly most: number;
  /** Items of one name are never in one statement: they leave in the order in which they came. Absent: any may go together. */
  readonly nameOf?: (item: Item) => string;
  /** Milliseconds that only rise; the process clock where absent. */
  readonly now?: () => number;
}

/**
 * After so many milliseconds a statement is slow: it waits for a lock or for the disk, and later items go by a second one beside
 * it. While statements are quick, one at a time is best: groups are larger, and cost the process and the database less.
 */
const slowMs = 20;

/** Items that waited so long, in milliseconds, for a statement that then found the database away fail with it. */
const patienceMs = 1000;

/** Nobody waits longer, in milliseconds, from `add` on (contract/conventions#time-to-an-answer). */
const answerWithinMs = 6000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches what many callers bring at the same time into one statement. No item waits for others to come: it leaves with those that are
 * brought in the same turn of the event loop (ADR 046), or, while a statement is under way, with all that came meanwhile as soon as that one
 * has ended. So batches grow with the load, and without load there are none.
 */
export class GroupedStatements<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  /** When each statement that is under way began. */
  private underWay: readonly number[] = [];
  private isScheduled = false;
  private readonly now: () => number;

  constructor(private readonly deps: Deps<Item, Result>) {
    this.now = deps.now ?? (() => performance.now());
  }

  /**
   * Resolves when the item's own statement is committed. Rejects with that statement's error, and with Unavailable where it was not
   * over within six seconds; then nobody knows whether it was committed.
   */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, since: this.now(), resolve, reject });
      if (this.isScheduled) return;
      this.isScheduled = true;
      // When all microtasks are done: others that go on together with this one bring theirs until then.
      process.nextTick(() => {
        this.isScheduled = false;
        this.begin();
      });
    });
  }

  private begin(): void {
    while (this.waiting.length > 0 && this.mayBegin()) this.send();
  }

  private mayBegin(): boolean {
    const [first, second] = this.underWay;
    return first === undefined || (second === undefined && this.now() - first >= slowMs);
  }

  private send(): void {
    const at = this.now();
    this.underWay = [...this.underWay, at];
    void this.run(this.next()).finally(() => {
      const place = this.underWay.indexOf(at);
      this.underWay = this.underWay.filter((_, i) => i !== place);
      this.begin();
    });
  }

  private next(): readonly Waiting<Item, Result>[] {
    const { most, nameOf } = this.deps;
    if (!nameOf) return this.waiting.splice(0, most);
    const group = new Map<string, Waiting<Item, Result>>();
    const left: Waiting<Item, Result>[] = [];
    for (const one of this.waiting) {
      const name = nameOf(one.item);
      if (group.size < most && !group.has(name)) group.set(name, one);
      else left.push(one);
    }
    this.waiting = left;
    return [...group.values()];
  }

  /** An item that the database refuses must not take the others down: then each goes by itself. An outage concerns all of them alike. */
  private async run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.inTime(group);
      // A result for each: whose statement it is has to see to it.
      group.forEach(({ resolve }, place) => resolve(results[place]!));
    } catch (error) {
      if (group.length > 1 && !(error instanceof Unavailable)) for (const one of group) await this.run([one]);
      else {
        group.forEach(({ reject }) => reject(error));
        if (error instanceof Unavailable) this.giveUp(error);
      }
    }
  }

  /** A statement that is not over in time may still be committed: its callers hear that the database is busy, and their repeats are right. */
  private async inTime(group: readonly Waiting<Item, Result>[]): Promise<readonly Result[]> {
    const leftMs = Math.max(0, (group[0]?.since ?? 0) + answerWithinMs - this.now());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Unavailable('database-busy')), leftMs);
    });
    try {
      return await Promise.race([this.repeated(group.map(({ item }) => item)), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A group that was in another transaction's way goes once more as it is. */
  private async repeated(items: readonly Item[]): Promise<readonly Result[]> {
    const { run } = this.deps;
    return run(items).catch((error: unknown) => {
      if (isConflict(error)) return run(items);
      throw error;
    });
  }

  /** Each must be answered within the time of one statement, and not after one such time of waiting and another of its own. */
  private giveUp(error: Unavailable): void {
    const before = this.now() - patienceMs;
    const impatient = this.waiting.filter(({ since }) => since < before);
    this.waiting = this.waiting.filter(({ since }) => since >= before);
    impatient.forEach(({ reject }) => reject(error));
  }
}
