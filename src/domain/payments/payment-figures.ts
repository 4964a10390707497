/** Which payments are counted: created in the range (milliseconds since the epoch, `from` included, `to` not), of a partner where one is named. */
export interface PaymentFiguresRequest {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** Where the bars of the time to a result begin, in milliseconds, rising; the last one has no end. */
export const timeToFinalEdgesMs: readonly number[] = [0, 1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400].map((seconds) => seconds * 1000);
/** A payment that has been in process for longer is overdue, in milliseconds. */
export const overdueAfterMs = 15 * 60_000;

/** How many payments came how far; each number is part of the one before it. */
export interface PaymentFunnel {
  readonly created: number;
  /** The host app opened them. */
  readonly accepted: number;
  /** Their result is known. */
  readonly final: number;
  /** The miniapp has received it. */
  readonly noticed: number;
}

/** Payments by the time from their creation to their result. */
export interface TimeToFinalBar {
  readonly fromMs: number;
  readonly toMs?: number | undefined;
  readonly final: number;
  /** Still in process, this old, and overdue. */
  readonly overdue: number;
}

export interface PaymentCounts {
  readonly funnel: PaymentFunnel;
  /** Opened, and without a result; those that are overdue included. */
  readonly inProcess: number;
  readonly overdue: number;
  readonly bars: readonly TimeToFinalBar[];
  /** Milliseconds; absent where nothing is final. */
  readonly p50Ms?: number | undefined;
  readonly p95Ms?: number | undefined;
}

/** Payments in numbers. */
export interface PaymentFigures {
  count(request: PaymentFiguresRequest): Promise<PaymentCounts>;
}
