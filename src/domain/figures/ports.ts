import type { Side, Step } from '../shared/errors';

/** Which exchanges are counted. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface FigureQuery {
  readonly from: number;
  readonly to: number;
  /** How long one slot of time is, in seconds: whole minutes or whole hours. The range consists of whole slots. */
  readonly slotS: number;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
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

/** Exchanges, counted exactly: each one once, at the latest a second after it was written. */
export interface Figures {
  /** In no particular order; at most 50,000, those with the most exchanges. */
  sums(query: FigureQuery, by: readonly Division[]): Promise<readonly Sum[]>;
  /** In no particular order. */
  durations(query: FigureQuery, by: readonly Extract<Division, 'time' | 'pair'>[]): Promise<readonly DurationCount[]>;
}

/** Sums exchanges, or payments, ahead of who asks for figures. */
export interface FigureRoll {
  /** Sums a part of what there is to sum by `now` (milliseconds since the epoch). True: there is more. */
  advance(now: number): Promise<boolean>;
}
