import type { IntegrationKey, PageRequest } from '../partners/ports';
import { add, latencyOf } from './added-up';
import { outcomes, type OutcomeCounts, type TrafficSlot } from './outcome';
import type { FigureQuery, FigureReader, PairOrder, RankedPair } from './ports';
import { slotsOf } from './slots';

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
    const series = { ...query, slotS: query.slotS * Math.ceil(slotsOf(query).length / maxPoints) };
    const { pairs, total } = await this.figures.ranking(series, order, page);
    const slots = slotsOf(series);
    return { pairs: pairs.map((pair) => pairFigures(slots, pair)), total, seriesSlotS: series.slotS };
  }
}

function pairFigures(all: readonly number[], { clientId, appId, sum, slots, durations }: RankedPair): PairFigures {
  const { p95, hostApp = 0, miniapp = 0 } = latencyOf([sum], durations);
  const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, add(slots, (slot) => slot[outcome])])) as OutcomeCounts;
  const bySlot = new Map(slots.map((one) => [one.slot, one]));
  const series = all.map((slot) => bySlot.get(slot) ?? { slot, ok: 0, partner_error: 0, refused: 0, platform_error: 0 });
  return { clientId, appId, counts, p95, hostApp, miniapp, lastAt: sum.lastAt, series };
}
