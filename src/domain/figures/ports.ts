import type { AgreementKey, PageRequest } from '../partners/ports';
import type { Side, Step } from '../shared/errors';

/** Which exchanges are counted. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface FigureQuery {
  readonly from: number;
  readonly to: number;
  /** How long one slot of time is, in seconds: whole minutes or whole hours. The first begins at `from`; the last may be cut short by `to`. */
  readonly slotS: number;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  /** True: those that failed alone; false: those that went well. */
  readonly hasFailed?: boolean | undefined;
  /** Of these alone. */
  readonly pairs?: readonly AgreementKey[] | undefined;
  readonly call?: string | undefined;
}

/** What sums are told apart by: slot, the two partners, the call, how it ended (status, code, side, step). */
export type Division = 'time' | 'pair' | 'call' | 'ending';

/** How an exchange ended, as far as it is counted. Absent where it went well, or where the sums are not told apart by it. */
export interface CountedEnding {
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly failedSide?: Side | undefined;
  readonly failedStep?: Step | undefined;
}

/** Exchanges that share what they were told apart by; what they were not told apart by is absent, as is what they lack. */
export interface Sum extends CountedEnding {
  /** When the slot begins; milliseconds since the epoch. */
  readonly slot?: number | undefined;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  readonly call?: string | undefined;
  readonly count: number;
  /** All of them together, in milliseconds: the whole, and what the legs to each partner took. */
  readonly ms: number;
  readonly hostAppMs: number;
  readonly miniappMs: number;
  /** When the first and the last of them came in; milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** How many exchanges took how long: `step` as in durations.ts. */
export interface DurationCount {
  readonly slot?: number | undefined;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  readonly step: number;
  readonly count: number;
}

/** How pairs are ordered: those with the most exchanges first, those with the most failures, or by Client ID and then App ID. */
export const pairOrders = ['traffic', 'failures', 'id'] as const;
export type PairOrder = (typeof pairOrders)[number];

/** A page of the pairs that had an exchange in a range, in their order, and how many there are in all. */
export interface RankedPairs {
  readonly pairs: readonly AgreementKey[];
  readonly total: number;
}

/** Exchanges, counted exactly: each one once, at the latest a second after it was written. */
export interface Figures {
  /** In no particular order; at most 50,000, those with the most exchanges. */
  sums(query: FigureQuery, by: readonly Division[]): Promise<readonly Sum[]>;
  /** In no particular order. */
  durations(query: Omit<FigureQuery, 'hasFailed'>, by: readonly Extract<Division, 'time' | 'pair'>[]): Promise<readonly DurationCount[]>;
  /** `after`: a pair as `client_id/app_id`. Those with the most come after none that has no exchange in the range; by id any pair has its place. */
  ranking(query: FigureQuery, order: PairOrder, page: PageRequest): Promise<RankedPairs>;
}

/** Sums exchanges, or payments, ahead of who asks for figures. */
export interface FigureRoll {
  /** Sums a part of what there is to sum by `now` (milliseconds since the epoch). True: there is more. */
  advance(now: number): Promise<boolean>;
}
