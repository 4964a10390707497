import type { IntegrationKey, PageRequest } from '../partners/ports';
import { grouped } from '../shared/grouped';
import { latencyOf, seriesOf, tally, type OutcomeCounts, type TrafficSlot } from './added-up';
import { outcomeOf, outcomes } from './outcome';
import type { DurationCount, FigureQuery, FigureReader, PairOrder, Sum } from './ports';
import { slotsOf } from './slots';
import { pairName } from '../partners/integrations/pair-name';

/** The traffic of one pair in a range. */
export interface PairFigures extends IntegrationKey {
  readonly counts: OutcomeCounts;
  readonly p95?: number | undefined;
  /** Means per exchange, in milliseconds. */
  readonly hostApp: number;
  readonly miniapp: number;
  readonly lastAt: number;
  /** One entry for every slot of the series. */
  readonly series: readonly TrafficSlot[];
}

/** A page of pairs with their traffic. */
export interface ComparedPairs {
  readonly pairs: readonly PairFigures[];
  /** Number of pairs with an exchange in the range. */
  readonly total: number;
  /** Length of a slot of the series, in seconds. */
  readonly seriesSlotS: number;
}

/** Maximum number of points in the small chart of a pair. */
const maxPoints = 31;

/** Compares integrations by their traffic. */
export class ComparePairs {
  constructor(private readonly figures: FigureReader) {}

  /** A page of the pairs with an exchange in the range. `page.after` is the last pair of the previous page, as `client_id/app_id`. */
  async execute(query: FigureQuery, order: PairOrder, page: PageRequest): Promise<ComparedPairs> {
    const { pairs, total } = await this.figures.ranking(query, order, page);
    const series = { ...query, slotS: query.slotS * Math.ceil(slotsOf(query).length / maxPoints), pairs };
    if (pairs.length === 0) return { pairs: [], total, seriesSlotS: series.slotS };
    const [sums, durations] = await Promise.all([
      this.figures.sums(series, ['time', 'pair', 'ending']),
      this.figures.durations(series, ['pair']),
    ]);
    const own = { sums: grouped(sums, pairName), durations: grouped(durations, pairName) };
    const found = pairs.map((pair) => pairFigures(series, pair, own));
    // A pair whose records were pruned between the queries has no exchange any more.
    return { pairs: found.filter(({ lastAt }) => lastAt > -Infinity), total, seriesSlotS: series.slotS };
  }
}

interface Found {
  readonly sums: ReadonlyMap<string, readonly Sum[]>;
  readonly durations: ReadonlyMap<string, readonly DurationCount[]>;
}

function pairFigures(query: FigureQuery, pair: IntegrationKey, found: Found): PairFigures {
  const [sums, durations] = [found.sums.get(pairName(pair)) ?? [], found.durations.get(pairName(pair)) ?? []];
  const { p95, hostApp = 0, miniapp = 0 } = latencyOf(sums, durations);
  const lastAt = Math.max(...sums.map((sum) => sum.lastAt));
  return { ...pair, counts: tally(outcomes, sums, outcomeOf), p95, hostApp, miniapp, lastAt, series: seriesOf(query, sums) };
}
