import { Unavailable } from '../../../domain/shared/errors';
import { isConflict } from './postgres-errors';

interface Deps<Item, Result> {
  /** One statement for all of them, committed when it resolves; the results in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items in one statement at most. */
  readonly most: number;
  /** Items of one name are never in one statement: they leave in the order in which they came. Absent: any may go together. */
  readonly nameOf?: (item: Item) => string;
  /**
   * Milliseconds between the beginnings of two statements at least, unless `most` wait: for what no caller waits for, so that fewer statements
   * take their time from those that somebody waits for. Absent: 0.
   */
  readonly apartMs?: number;
  /** Milliseconds that only rise; the process clock where absent. */
  readonly now?: () => number;
}

/**
 * A statement that takes longer, in milliseconds, has one beside it: it waits for a lock or for the disk, and who comes now need not
 * wait for the same. Where statements are quick one at a time is best: groups are larger, and cost the process and the database less.
 */
const slowMs = 20;

/** Who has waited so long in milliseconds for a statement before theirs, which then found that the database cannot serve, fails with it. */
const patienceMs = 1000;

/** Nobody waits longer, in milliseconds, from `add` on (decisions §5.20). */
const answerWithinMs = 6000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs one statement for what many callers bring at the same time. Nobody waits for others to come: an item leaves with those that are
 * brought in the same piece of work (calls of one turn go on together, ADR 046), or with all that came meanwhile as soon as the statement
 * before it has ended or has turned out slow. So groups grow with the load, and without load there are none. Only what no caller waits for
 * is kept apart by time (`apartMs`).
 */
export class GroupedStatements<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  /** When each statement that is under way began. */
  private underWay: readonly number[] = [];
  /** When the last one began. */
  private last = -Infinity;
  private later: NodeJS.Timeout | undefined;
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
      // When all microtasks are done: others that go on together with this one bring theirs until then.
      if (this.waiting.length === 1 || this.waiting.length === this.deps.most) process.nextTick(() => this.begin());
    });
  }

  private begin(): void {
    const [first, second] = this.underWay;
    if (this.waiting.length === 0 || second !== undefined) return;
    const now = this.now();
    const leftMs = (first === undefined ? this.last + this.apartMs() : first + slowMs) - now;
    if (leftMs > 0) this.lookIn(leftMs);
    else this.send(now);
  }

  private apartMs(): number {
    const { most, apartMs = 0 } = this.deps;
    return this.waiting.length < most ? apartMs : 0;
  }

  private send(at: number): void {
    this.underWay = [...this.underWay, at];
    this.last = at;
    void this.run(this.next()).finally(() => {
      clearTimeout(this.later);
      this.later = undefined;
      const place = this.underWay.indexOf(at);
      this.underWay = this.underWay.filter((_, i) => i !== place);
      this.begin();
    });
    // What has found no room in it.
    this.begin();
  }

  private lookIn(ms: number): void {
    this.later ??= setTimeout(() => {
      this.later = undefined;
      this.begin();
    }, Math.ceil(ms));
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
