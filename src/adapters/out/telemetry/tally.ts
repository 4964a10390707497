import { definitionOf, type MetricName } from './metric-catalogue';
import { Durations } from './durations';
import type { Sample } from './sample';

/** Counts and durations by labels. Each label is a level of nested maps, so known label values allocate nothing. */
class Levels<Leaf> {
  private readonly below = new Map<string, Levels<Leaf>>();
  private leaf: Leaf | undefined;

  constructor(private readonly make: () => Leaf) {}

  at(label: string): Levels<Leaf> {
    let found = this.below.get(label);
    if (!found) this.below.set(label, (found = new Levels(this.make)));
    return found;
  }

  get(): Leaf {
    return (this.leaf ??= this.make());
  }

  *leaves(labels: readonly string[] = []): Generator<readonly [readonly string[], Leaf]> {
    if (this.leaf !== undefined) yield [labels, this.leaf];
    for (const [label, level] of this.below) yield* level.leaves([...labels, label]);
  }
}

/** A counter of the catalogue. The caller must use labels with few values. */
export class Counts {
  private readonly levels = new Levels<{ count: number }>(() => ({ count: 0 }));

  constructor(private readonly name: MetricName) {}

  add(a?: string, b?: string, c?: string): void {
    this.levelOf(a, b, c).get().count++;
  }

  sample(): Sample {
    const { name } = this;
    return { name, series: [...this.levels.leaves()].map(([labels, { count }]) => ({ labels, values: [count] })) };
  }

  private levelOf(a?: string, b?: string, c?: string): Levels<{ count: number }> {
    let level = this.levels;
    if (a !== undefined) level = level.at(a);
    if (b !== undefined) level = level.at(b);
    return c === undefined ? level : level.at(c);
  }
}

/** A histogram of the catalogue. */
export class Timings {
  private readonly levels: Levels<Durations>;

  constructor(private readonly name: MetricName) {
    const { edgesMs = [] } = definitionOf(name);
    this.levels = new Levels(() => new Durations(edgesMs));
  }

  add(ms: number, a: string, b?: string): void {
    const level = this.levels.at(a);
    (b === undefined ? level : level.at(b)).get().add(ms);
  }

  sample(): Sample {
    const { name } = this;
    return { name, series: [...this.levels.leaves()].map(([labels, durations]) => ({ labels, values: durations.values() })) };
  }
}
