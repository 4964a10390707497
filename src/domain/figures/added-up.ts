import { grouped } from '../shared/grouped';
import { percentile } from './durations';
import { outcomeOf, outcomes, type TrafficSlot } from './outcome';
import type { FigureQuery, StepCount, Sum } from './ports';
import { slotsOf } from './slots';

/**
 * Durations in one slot, in milliseconds; absent where there was no exchange. `platform`, `hostApp` and `miniapp` are means that add up to
 * `mean`.
 */
export interface LatencySlot {
  readonly slot: number;
  readonly count: number;
  readonly p50?: number | undefined;
  readonly p95?: number | undefined;
  readonly p99?: number | undefined;
  readonly mean?: number | undefined;
  readonly platform?: number | undefined;
  readonly hostApp?: number | undefined;
  readonly miniapp?: number | undefined;
}

/** The outcomes of each slot of the range, including empty slots. */
export const seriesOf = (query: FigureQuery, sums: readonly Sum[]): TrafficSlot[] => {
  const bySlot = grouped(sums, ({ slot }) => slot);
  return slotsOf(query).map((slot) => ({ slot, ...tally(outcomes, bySlot.get(slot) ?? [], outcomeOf) }));
};

type Spent = Pick<Sum, 'count' | 'ms' | 'hostAppMs' | 'miniappMs'>;

/** Durations of the exchanges, from sums and duration counts. */
export function latencyOf(sums: readonly Spent[], durations: readonly StepCount[]): Omit<LatencySlot, 'slot'> {
  const count = add(sums, ({ count: own }) => own);
  if (count === 0) return { count };
  const mean = (part: (sum: Spent) => number): number => Math.round((add(sums, part) / count) * 10) / 10;
  const [whole, hostApp, miniapp] = [mean(({ ms }) => ms), mean(({ hostAppMs }) => hostAppMs), mean(({ miniappMs }) => miniappMs)];
  const percentiles = { p50: percentile(durations, 0.5), p95: percentile(durations, 0.95), p99: percentile(durations, 0.99) };
  const platform = Math.max(0, Math.round((whole - hostApp - miniapp) * 10) / 10);
  return { count, ...percentiles, mean: whole, platform, hostApp, miniapp };
}

/** Counts the exchanges by word. */
export function tally<Word extends string, Row extends { readonly count: number }>(
  words: readonly Word[],
  sums: readonly Row[],
  wordOf: (sum: Row) => Word,
): Record<Word, number> {
  const counts = Object.fromEntries(words.map((word) => [word, 0])) as Record<Word, number>;
  for (const sum of sums) counts[wordOf(sum)] += sum.count;
  return counts;
}

export const add = <Row>(rows: readonly Row[], part: (row: Row) => number): number => rows.reduce((all, row) => all + part(row), 0);
