import { grouped } from '../shared/grouped';
import { add, latencyOf, seriesOf, tally, type LatencySlot } from './added-up';
import { msOfStep } from './durations';
import {
  causeOf,
  causes,
  outcomeOf,
  outcomes,
  type Cause,
  type CountedEnding,
  type Outcome,
  type OutcomeCounts,
  type TrafficSlot,
} from './outcome';
import type { FigureQuery, FigureReader, Sum } from './ports';
import { slotsOf } from './slots';

export interface EndingCount extends CountedEnding {
  readonly outcome: Outcome;
  readonly count: number;
}

/** Number of exchanges in a slot that took more than `fromMs` and at most `toMs`. */
export interface SpreadCell {
  readonly slot: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly count: number;
}

/** Counts exchanges for the statistics. */
export class CountExchanges {
  constructor(private readonly figures: FigureReader) {}

  async traffic(query: FigureQuery): Promise<readonly TrafficSlot[]> {
    return seriesOf(query, await this.figures.sums(query, ['time', 'ending']));
  }

  async latency(query: FigureQuery): Promise<{ readonly slots: readonly LatencySlot[]; readonly whole: Omit<LatencySlot, 'slot'> }> {
    const [sums, durations] = await Promise.all([this.figures.sums(query, ['time']), this.figures.durations(query, ['time'])]);
    const at = (slot: number) => ({ slot, ...latencyOf(inSlot(sums, slot), inSlot(durations, slot)) });
    return { slots: slotsOf(query).map(at), whole: latencyOf(sums, durations) };
  }

  /** The ten most frequent statuses, and the ten most frequent failures. */
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

  /** Outcomes by call in the whole range. */
  async calls(query: FigureQuery): Promise<readonly (OutcomeCounts & { readonly call: string })[]> {
    const byCall = grouped(await this.figures.sums(query, ['call', 'ending']), ({ call = '' }) => call);
    return [...byCall.entries()].map(([call, sums]) => ({ call, ...tally(outcomes, sums, outcomeOf) }));
  }

  /** Cells without exchanges are omitted. */
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
}

/** Upper ends of the duration bands in a heat map, in milliseconds. */
const spreadBands = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, Infinity] as const;

const inSlot = <Row extends { readonly slot?: number | undefined }>(rows: readonly Row[], slot: number): Row[] =>
  rows.filter((row) => row.slot === slot);

function topTen(endings: readonly (Sum & { outcome: Outcome })[], known: (ending: Sum) => CountedEnding): EndingCount[] {
  const groups = grouped(endings, (ending) => JSON.stringify(known(ending)));
  const counted = [...groups.values()].map((own) => ({
    ...known(own[0]!),
    outcome: own[0]!.outcome,
    count: add(own, ({ count }) => count),
  }));
  return counted.sort((a, b) => b.count - a.count).slice(0, 10);
}
