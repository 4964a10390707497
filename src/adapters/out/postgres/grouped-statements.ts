import { isAway } from './postgres-errors';

interface Deps<Item, Result> {
  /** One statement for all of them, committed when it resolves; the results in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items in one statement at most. */
  readonly most: number;
  /** Items of one name are never in one statement: they leave in the order in which they came. Absent: any may go together. */
  readonly nameOf?: (item: Item) => string;
  /** Statements under way at once; 1. */
  readonly atOnce?: number;
  /** Milliseconds that only rise; the process clock where absent. */
  readonly now?: () => number;
}

/** Who has waited so long in milliseconds for a statement before theirs, which then found the database away, is told so with it. */
const patienceMs = 1000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs one statement for what many callers bring at the same time. Nobody waits for others to come: an item leaves at once, or
 * with all that came meanwhile as soon as a statement before it has ended. So groups grow with the load, and without load there
 * are none.
 */
export class GroupedStatements<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private underWay = 0;
  private readonly now: () => number;

  constructor(private readonly deps: Deps<Item, Result>) {
    this.now = deps.now ?? (() => performance.now());
  }

  /** Resolves when the item's own statement is committed. Rejects with that statement's error. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, since: this.now(), resolve, reject });
      this.begin();
    });
  }

  private begin(): void {
    const { atOnce = 1 } = this.deps;
    if (this.underWay >= atOnce || this.waiting.length === 0) return;
    this.underWay++;
    void this.run(this.next()).finally(() => {
      this.underWay--;
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

  /** One item that the database does not take must not take the others down: then each goes by itself. */
  private async run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.deps.run(group.map(({ item }) => item));
      // A result for each: whose statement it is has to see to it.
      group.forEach(({ resolve }, place) => resolve(results[place]!));
    } catch (error) {
      if (group.length > 1 && !isAway(error)) for (const one of group) await this.run([one]);
      else {
        group.forEach(({ reject }) => reject(error));
        if (isAway(error)) this.giveUp(error);
      }
    }
  }

  /** Each must be answered within the time of one statement, and not after one such time of waiting and another of its own. */
  private giveUp(error: unknown): void {
    const before = this.now() - patienceMs;
    const impatient = this.waiting.filter(({ since }) => since < before);
    this.waiting = this.waiting.filter(({ since }) => since >= before);
    impatient.forEach(({ reject }) => reject(error));
  }
}
