import { grouped } from '../shared/grouped';
import { percentile, msOfStep } from './durations';
import { causeOf, causes, outcomeOf, outcomes, type Cause, type Outcome } from './outcome';
import type { CountedEnding, DurationCount, FigureQuery, Figures, Sum } from './ports';
import { slotsOf } from './slots';

export type OutcomeCounts = Readonly<Record<Outcome, number>>;

/** The outcomes of one slot; `slot` is when it begins, in milliseconds since the epoch. */
export interface TrafficSlot extends OutcomeCounts {
  readonly slot: number;
}

/** Durations of one slot in milliseconds; absent where there was no exchange. The shares are means, and sum up to `mean`. */
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

export interface EndingCount extends CountedEnding {
  readonly outcome: Outcome;
  readonly count: number;
}

/** How many exchanges of a slot took so long: above `fromMs`, up to `toMs`. */
export interface SpreadCell {
  readonly slot: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly count: number;
}

export interface PairFigures {
  readonly clientId: string;
  readonly appId: string;
  readonly counts: OutcomeCounts;
  readonly p95?: number | undefined;
  /** Means per exchange, in milliseconds. */
  readonly hostApp: number;
  readonly miniapp: number;
  readonly lastAt: number;
  /** Of all slots of the range. */
  readonly series: readonly TrafficSlot[];
}

/** Reads exchanges as figures. */
export class CountExchanges {
  constructor(private readonly figures: Figures) {}

  async traffic(query: FigureQuery): Promise<readonly TrafficSlot[]> {
    return seriesOf(query, await this.figures.sums(query, ['time', 'ending']));
  }

  async latency(query: FigureQuery): Promise<{ readonly slots: readonly LatencySlot[]; readonly whole: Omit<LatencySlot, 'slot'> }> {
    const [sums, durations] = await Promise.all([this.figures.sums(query, ['time']), this.figures.durations(query, ['time'])]);
    const at = (slot: number) => ({ slot, ...latencyOf(inSlot(sums, slot), inSlot(durations, slot)) });
    return { slots: slotsOf(query).map(at), whole: latencyOf(sums, durations) };
  }

  /** The ten most frequent statuses, and the ten most frequent ways to fail. */
  async errors(query: FigureQuery): Promise<{ readonly statuses: readonly EndingCount[]; readonly failures: readonly EndingCount[] }> {
    const endings = (await this.figures.sums(query, ['ending'])).map((sum) => ({ ...sum, outcome: outcomeOf(sum) }));
    const failed = endings.filter(({ outcome }) => outcome !== 'ok');
    return {
      statuses: topTen(endings, ({ status }) => ({ status })),
      failures: topTen(failed, ({ errorCode, failedSide, failedStep }) => ({ errorCode, failedSide, failedStep })),
    };
  }

  async refusals(query: FigureQuery): Promise<readonly ({ readonly slot: number } & Readonly<Record<Cause, number>>)[]> {
    const refused = (await this.figures.sums(query, ['time', 'ending'])).filter((sum) => outcomeOf(sum) === 'refused');
    return slotsOf(query).map((slot) => ({
      slot,
      ...tally(causes, inSlot(refused, slot), ({ errorCode }) => causeOf(errorCode)),
    }));
  }

  /** The outcomes of each call in the whole range. */
  async calls(query: FigureQuery): Promise<readonly (OutcomeCounts & { readonly call: string })[]> {
    const byCall = grouped(await this.figures.sums(query, ['call', 'ending']), ({ call = '' }) => call);
    return [...byCall.entries()].map(([call, sums]) => ({ call, ...tally(outcomes, sums, outcomeOf) }));
  }

  /** Cells that have no exchange are left out. */
  async spread(query: FigureQuery): Promise<readonly SpreadCell[]> {
    const cells = new Map<string, SpreadCell>();
    for (const { slot = query.from, step, count } of await this.figures.durations(query, ['time'])) {
      const band = spreadBands.findIndex((upTo) => msOfStep(step) <= upTo);
      const key = `${String(slot)} ${String(band)}`;
      const [fromMs, toMs] = [spreadBands[band - 1] ?? 0, spreadBands[band] ?? Infinity];
      cells.set(key, { slot, fromMs, toMs, count: count + (cells.get(key)?.count ?? 0) });
    }
    return [...cells.values()].sort((a, b) => a.slot - b.slot || a.fromMs - b.fromMs);
  }

  /** Each pair with an exchange in the range, the busiest first. */
  async integrations(query: FigureQuery): Promise<readonly PairFigures[]> {
    const [sums, durations] = await Promise.all([
      this.figures.sums(query, ['time', 'pair', 'ending']),
      this.figures.durations(query, ['pair']),
    ]);
    const durationsOf = byPair(durations);
    return [...byPair(sums).entries()]
      .map(([pair, own]) => pairFigures(query, own, durationsOf.get(pair) ?? []))
      .filter((row) => row !== undefined)
      .sort((a, b) => total(b.counts) - total(a.counts));
  }
}

/** Ends of the bands of durations in a heat map, in milliseconds. */
const spreadBands = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, Infinity] as const;

export const total = (counts: OutcomeCounts): number => outcomes.reduce((all, outcome) => all + counts[outcome], 0);

function pairFigures(query: FigureQuery, sums: readonly Sum[], durations: readonly DurationCount[]): PairFigures | undefined {
  const { clientId, appId } = sums[0] ?? {};
  if (clientId === undefined || appId === undefined) return undefined;
  const { p95, hostApp = 0, miniapp = 0 } = latencyOf(sums, durations);
  const lastAt = Math.max(...sums.map((sum) => sum.lastAt));
  return { clientId, appId, counts: tally(outcomes, sums, outcomeOf), p95, hostApp, miniapp, lastAt, series: seriesOf(query, sums) };
}

const seriesOf = (query: FigureQuery, sums: readonly Sum[]): TrafficSlot[] => {
  const bySlot = grouped(sums, ({ slot }) => slot);
  return slotsOf(query).map((slot) => ({ slot, ...tally(outcomes, bySlot.get(slot) ?? [], outcomeOf) }));
};

function latencyOf(sums: readonly Sum[], durations: readonly DurationCount[]): Omit<LatencySlot, 'slot'> {
  const count = add(sums, ({ count: own }) => own);
  if (count === 0) return { count };
  const mean = (part: (sum: Sum) => number): number => Math.round((add(sums, part) / count) * 10) / 10;
  const [whole, hostApp, miniapp] = [mean(({ ms }) => ms), mean(({ hostAppMs }) => hostAppMs), mean(({ miniappMs }) => miniappMs)];
  const percentiles = { p50: percentile(durations, 0.5), p95: percentile(durations, 0.95), p99: percentile(durations, 0.99) };
  const platform = Math.max(0, Math.round((whole - hostApp - miniapp) * 10) / 10);
  return { count, ...percentiles, mean: whole, platform, hostApp, miniapp };
}

const inSlot = <Row extends { readonly slot?: number | undefined }>(rows: readonly Row[], slot: number): Row[] =>
  rows.filter((row) => row.slot === slot);

const byPair = <Row extends Pick<Sum, 'clientId' | 'appId'>>(rows: readonly Row[]): Map<string, Row[]> =>
  grouped(rows, ({ clientId = '', appId = '' }) => `${clientId}/${appId}`);

const add = <Row>(rows: readonly Row[], part: (row: Row) => number): number => rows.reduce((all, row) => all + part(row), 0);

function tally<Word extends string>(words: readonly Word[], sums: readonly Sum[], wordOf: (sum: Sum) => Word): Record<Word, number> {
  const counts = Object.fromEntries(words.map((word) => [word, 0])) as Record<Word, number>;
  for (const sum of sums) counts[wordOf(sum)] += sum.count;
  return counts;
}

function topTen(endings: readonly (Sum & { outcome: Outcome })[], known: (ending: Sum) => CountedEnding): EndingCount[] {
  const groups = grouped(endings, (ending) => JSON.stringify(known(ending)));
  const counted = [...groups.values()].map((own) => ({
    ...known(own[0]!),
    outcome: own[0]!.outcome,
    count: add(own, ({ count }) => count),
  }));
  return counted.sort((a, b) => b.count - a.count).slice(0, 10);
}
