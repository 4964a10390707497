import { definitionOf, type MetricDefinition, type MetricName } from './metric-catalogue';
import type { Sample, Series } from './sample';

/** The samples of one process. */
export interface WorkerSamples {
  /** The number of the process's slot, which its successor reuses. */
  readonly worker: string;
  /** Identifies the process; its successor has another value. */
  readonly process: string;
  readonly samples: readonly Sample[];
}

type Totals = Map<string, { readonly labels: readonly string[]; readonly values: number[]; readonly worker?: string }>;

/**
 * Merges the samples of several processes. A counter continues when a process is replaced: the increase of each process since its
 * last scrape is added up. All processes together have no more series by integration than one process.
 */
export class MergedSamples {
  private readonly totals = new Map<MetricName, Totals>();
  private lastValues = new Map<string, readonly number[]>();
  private countedPairs = new Set<string>();

  /** `integrations`: the maximum number of integrations with their own series. */
  constructor(private readonly integrations: number) {}

  merge(workers: readonly WorkerSamples[]): readonly Sample[] {
    const lastValues = new Map<string, readonly number[]>();
    const gauges = new Map<MetricName, Totals>();
    this.forgetIntegrations(workers);
    for (const { worker, process, samples } of workers) {
      for (const { name, series } of samples) {
        const definition = definitionOf(name);
        const into = definition.type === 'gauge' ? gauges : this.totals;
        if (!into.has(name)) into.set(name, new Map());
        for (const one of series) {
          const target = this.target(definition, one, worker);
          const key = [process, name, ...one.labels].join('\n');
          if (definition.type !== 'gauge') lastValues.set(key, one.values);
          join(
            into.get(name) as Totals,
            target,
            definition.type === 'gauge' ? one.values : since(this.lastValues.get(key), one.values),
            definition,
          );
        }
      }
    }
    this.lastValues = lastValues;
    return [...this.totals, ...gauges].map(([name, totals]) => ({ name, series: [...totals.values()] }));
  }

  /** The series that a value is added to: one per process for its own metrics; for integrations their own series up to the maximum. */
  private target({ labels: names = [], across }: MetricDefinition, { labels, values }: Series, worker: string): Series {
    if (across === 'each') return { labels, values, worker };
    if (names[0] !== 'client_id' || isCommon(labels)) return { labels, values };
    const [clientId = '', appId = '', ...rest] = labels;
    const pair = pairOf(labels);
    if (this.countedPairs.size < this.integrations) this.countedPairs.add(pair);
    return this.countedPairs.has(pair)
      ? { labels: [clientId, appId, ...rest], values }
      : { labels: ['(other)', '(other)', ...rest], values };
  }

  /** Integrations that no process counts any more release their slots and series. */
  private forgetIntegrations(workers: readonly WorkerSamples[]): void {
    const named = workers.flatMap(({ samples }) => samples.filter(({ name }) => isOfIntegrations(name)).flatMap(({ series }) => series));
    const pairs = new Set(named.map(({ labels }) => pairOf(labels)));
    this.countedPairs = new Set([...this.countedPairs].filter((pair) => pairs.has(pair)));
    for (const [name, totals] of this.totals) {
      if (!isOfIntegrations(name)) continue;
      for (const [key, { labels }] of totals) if (!isCommon(labels) && !pairs.has(pairOf(labels))) totals.delete(key);
    }
  }
}

const isOfIntegrations = (name: MetricName): boolean => definitionOf(name).labels?.[0] === 'client_id';
const isCommon = ([clientId = '']: readonly string[]): boolean => clientId.startsWith('(');
const pairOf = ([clientId = '', appId = '']: readonly string[]): string => `${clientId}\n${appId}`;

/** The increase since the last scrape. A count lower than before has restarted from zero. */
function since(before: readonly number[] | undefined, now: readonly number[]): readonly number[] {
  if (!before || now.some((value, i) => value < (before[i] ?? 0))) return now;
  return now.map((value, i) => value - (before[i] ?? 0));
}

function join(totals: Totals, { labels, worker }: Series, values: readonly number[], { across }: MetricDefinition): void {
  const key = [...labels, worker ?? ''].join('\n');
  const found = totals.get(key);
  if (!found) totals.set(key, { labels, values: [...values], ...(worker !== undefined && { worker }) });
  else
    values.forEach(
      (value, i) => (found.values[i] = across === 'max' ? Math.max(found.values[i] ?? 0, value) : (found.values[i] ?? 0) + value),
    );
}
