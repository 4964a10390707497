import { Unavailable } from '../../../../domain/shared/errors';
import { isConflict } from './postgres-errors';

interface Deps<Item, Result> {
  /** Runs one statement for all items, committed when it resolves. Results are in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The maximum number of items in one statement. */
  readonly maxGroupSize: number;
  /** Items with the same name never share a statement and run in their order. Absent: any items may share one. */
  readonly nameOf?: (item: Item) => string;
  /** A monotonic clock in milliseconds. Defaults to the process clock. */
  readonly now?: () => number;
}

/**
 * A statement that takes longer, in milliseconds, probably waits for a lock or the disk, so later items go in a second statement beside it.
 * While statements are quick, one at a time is best: groups are larger and cost the process and the database less.
 */
const slowMs = 20;

/** Items that waited longer than this, in milliseconds, fail when the statement before them finds the database unavailable. */
const patienceMs = 1000;

/** The longest time from `add` to an answer, in milliseconds (contract/conventions#time-to-an-answer). */
const answerWithinMs = 6000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches the items of concurrent callers into one statement. No item waits for a batch to fill: it leaves with the items of the same turn
 * of the event loop (ADR 046) or, while a statement is in flight, with all items that arrived meanwhile. Batches grow with the load.
 */
export class GroupedStatements<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  /** The start time of each statement in flight. */
  private startTimes: readonly number[] = [];
  private isScheduled = false;
  private readonly now: () => number;

  constructor(private readonly deps: Deps<Item, Result>) {
    this.now = deps.now ?? (() => performance.now());
  }

  /**
   * Resolves when the item's statement is committed. Rejects with that statement's error, or with Unavailable after six seconds; then the
   * outcome of the commit is unknown.
   */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, since: this.now(), resolve, reject });
      if (this.isScheduled) return;
      this.isScheduled = true;
      // Waits until all microtasks are done, so that callers which continue in the same turn can add their items.
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
    const [first, second] = this.startTimes;
    return first === undefined || (second === undefined && this.now() - first >= slowMs);
  }

  private send(): void {
    const at = this.now();
    this.startTimes = [...this.startTimes, at];
    void this.run(this.next()).finally(() => {
      const index = this.startTimes.indexOf(at);
      this.startTimes = this.startTimes.filter((_, i) => i !== index);
      this.begin();
    });
  }

  private next(): readonly Waiting<Item, Result>[] {
    const { maxGroupSize, nameOf } = this.deps;
    if (!nameOf) return this.waiting.splice(0, maxGroupSize);
    const group = new Map<string, Waiting<Item, Result>>();
    const left: Waiting<Item, Result>[] = [];
    for (const one of this.waiting) {
      const name = nameOf(one.item);
      if (group.size < maxGroupSize && !group.has(name)) group.set(name, one);
      else left.push(one);
    }
    this.waiting = left;
    return [...group.values()];
  }

  /**
   * Runs a group. If the database refuses it, each item runs alone, so that one bad item does not fail the others. An outage fails all of
   * them.
   */
  private async run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.inTime(group);
      // `run` must return one result for each item.
      group.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      if (group.length > 1 && !(error instanceof Unavailable)) for (const one of group) await this.run([one]);
      else {
        group.forEach(({ reject }) => reject(error));
        if (error instanceof Unavailable) this.giveUp(error);
      }
    }
  }

  /** Rejects as `busy` after the deadline. The statement may still be committed, so callers must be safe to repeat. */
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

  /** Runs the group again after a conflict with another transaction. */
  private async repeated(items: readonly Item[]): Promise<readonly Result[]> {
    const { run } = this.deps;
    return run(items).catch((error: unknown) => {
      if (isConflict(error)) return run(items);
      throw error;
    });
  }

  /** Rejects the waiting items that are out of patience, so that none waits for a second timeout after the first. */
  private giveUp(error: Unavailable): void {
    const before = this.now() - patienceMs;
    const impatient = this.waiting.filter(({ since }) => since < before);
    this.waiting = this.waiting.filter(({ since }) => since >= before);
    impatient.forEach(({ reject }) => reject(error));
  }
}
