import { factsOf, type MetricFacts, type MetricName } from './metric-catalogue';
import type { Sample, Series } from './sample';

/** One process and what it said. */
export interface WorkerSamples {
  /** A small number that its successor takes over. */
  readonly worker: string;
  /** Names the process itself: its successor has another. */
  readonly process: string;
  readonly samples: readonly Sample[];
}

type Totals = Map<string, { readonly labels: readonly string[]; readonly values: number[]; readonly worker?: string }>;

/**
 * Makes one of what several processes say. A counter goes on where a process has ended and another took its place: what each
 * has added since it was last heard is added up. The integrations of all have no more places than those of one.
 */
export class MergedSamples {
  private readonly totals = new Map<MetricName, Totals>();
  private heard = new Map<string, readonly number[]>();
  private places = new Set<string>();

  /** `integrations`: how many of them have numbers of their own. */
  constructor(private readonly integrations: number) {}

  merge(workers: readonly WorkerSamples[]): readonly Sample[] {
    const heard = new Map<string, readonly number[]>();
    const gauges = new Map<MetricName, Totals>();
    this.forgetIntegrations(workers);
    for (const { worker, process, samples } of workers) {
      for (const { name, series } of samples) {
        const facts = factsOf(name);
        const into = facts.type === 'gauge' ? gauges : this.totals;
        if (!into.has(name)) into.set(name, new Map());
        for (const one of series) {
          const placed = this.placed(facts, one, worker);
          const key = [process, name, ...one.labels].join('\n');
          if (facts.type !== 'gauge') heard.set(key, one.values);
          join(into.get(name) as Totals, placed, facts.type === 'gauge' ? one.values : since(this.heard.get(key), one.values), facts);
        }
      }
    }
    this.heard = heard;
    return [...this.totals, ...gauges].map(([name, totals]) => ({ name, series: [...totals.values()] }));
  }

  /** Where a series is added to: of a process's own metrics each has one, of the integrations the first ones. */
  private placed({ labels: names = [], across }: MetricFacts, { labels, values }: Series, worker: string): Series {
    if (across === 'each') return { labels, values, worker };
    if (names[0] !== 'client_id' || isCommon(labels)) return { labels, values };
    const [clientId = '', appId = '', ...rest] = labels;
    const pair = pairOf(labels);
    if (this.places.size < this.integrations) this.places.add(pair);
    return this.places.has(pair) ? { labels: [clientId, appId, ...rest], values } : { labels: ['(other)', '(other)', ...rest], values };
  }

  /** Those that no process counts any more give up their places, and their numbers. */
  private forgetIntegrations(workers: readonly WorkerSamples[]): void {
    const named = workers.flatMap(({ samples }) => samples.filter(({ name }) => isOfIntegrations(name)).flatMap(({ series }) => series));
    const pairs = new Set(named.map(({ labels }) => pairOf(labels)));
    this.places = new Set([...this.places].filter((pair) => pairs.has(pair)));
    for (const [name, totals] of this.totals) {
      if (!isOfIntegrations(name)) continue;
      for (const [key, { labels }] of totals) if (!isCommon(labels) && !pairs.has(pairOf(labels))) totals.delete(key);
    }
  }
}

const isOfIntegrations = (name: MetricName): boolean => factsOf(name).labels?.[0] === 'client_id';
const isCommon = ([clientId = '']: readonly string[]): boolean => clientId.startsWith('(');
const pairOf = ([clientId = '', appId = '']: readonly string[]): string => `${clientId}\n${appId}`;

/** The increase; a count that is lower than before began anew. */
function since(before: readonly number[] | undefined, now: readonly number[]): readonly number[] {
  if (!before || now.some((value, i) => value < (before[i] ?? 0))) return now;
  return now.map((value, i) => value - (before[i] ?? 0));
}

function join(totals: Totals, { labels, worker }: Series, values: readonly number[], { across }: MetricFacts): void {
  const key = [...labels, worker ?? ''].join('\n');
  const found = totals.get(key);
  if (!found) totals.set(key, { labels, values: [...values], ...(worker !== undefined && { worker }) });
  else
    values.forEach(
      (value, i) => (found.values[i] = across === 'most' ? Math.max(found.values[i] ?? 0, value) : (found.values[i] ?? 0) + value),
    );
}
