import type { IntegrationKey, PageRequest } from '../partners/ports';
import type { CountedEnding, TrafficSlot } from './outcome';

/** Selects the exchanges to count. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface FigureQuery {
  readonly from: number;
  readonly to: number;
  /** Length of a slot in seconds: whole minutes or whole hours. The first begins at `from`; the last may be cut short by `to`. */
  readonly slotS: number;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  /** True: only failed exchanges; false: only successful ones. */
  readonly hasFailed?: boolean | undefined;
  /** Only exchanges of these pairs. */
  readonly pairs?: readonly IntegrationKey[] | undefined;
  readonly call?: string | undefined;
}

/** The dimensions of sums: slot, the two partners, the call, the ending (status, code, side, step). */
export type Division = 'time' | 'pair' | 'call' | 'ending';

/** A group of exchanges; members for dimensions that the sums are not divided by are absent. */
export interface Sum extends CountedEnding {
  /** When the slot begins; milliseconds since the epoch. */
  readonly slot?: number | undefined;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  readonly call?: string | undefined;
  readonly count: number;
  /** Total durations, in milliseconds: of the exchanges, and of the legs to each partner. */
  readonly ms: number;
  readonly hostAppMs: number;
  readonly miniappMs: number;
  /** When the first and the last exchange came in; milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Number of exchanges by duration; `step` as in durations.ts. */
export interface StepCount {
  readonly step: number;
  readonly count: number;
}

/** Durations in a group of exchanges; members for dimensions that they are not divided by are absent. */
export interface DurationCount extends StepCount {
  readonly slot?: number | undefined;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** Order of pairs: by most exchanges, by most failures, or by Client ID and then App ID. */
export const pairOrders = ['traffic', 'failures', 'id'] as const;
export type PairOrder = (typeof pairOrders)[number];

/** A pair with its exchanges in a range. */
export interface RankedPair extends IntegrationKey {
  readonly sum: Pick<Sum, 'count' | 'ms' | 'hostAppMs' | 'miniappMs' | 'lastAt'>;
  /** Slots with an exchange, and the durations; in no particular order. */
  readonly slots: readonly TrafficSlot[];
  readonly durations: readonly StepCount[];
}

/** A page of the pairs with an exchange in a range, in order, and the total number of pairs. */
export interface RankedPairs {
  readonly pairs: readonly RankedPair[];
  readonly total: number;
}

/** Counts exchanges exactly: each once, at most a second after it was written. */
export interface FigureReader {
  /** In no particular order; at most 50,000 sums, those with the most exchanges. */
  sums(query: FigureQuery, by: readonly Division[]): Promise<readonly Sum[]>;
  /** In no particular order. */
  durations(query: Omit<FigureQuery, 'hasFailed'>, by: readonly Extract<Division, 'time' | 'pair'>[]): Promise<readonly DurationCount[]>;
  /**
   * `page.after` is a pair as `client_id/app_id`. In the orders by most, it must have an exchange in the range, or nothing follows; by id,
   * any pair works.
   */
  ranking(query: FigureQuery, order: PairOrder, page: PageRequest): Promise<RankedPairs>;
}

/** Adds up exchanges, or payments, ahead of queries. */
export interface FigureRollupStore {
  /** Adds up a part of the records that are due at `now` (milliseconds since the epoch). Resolves to true if there are more. */
  advance(now: number): Promise<boolean>;
}
