/** Selects payments created in the range (milliseconds since the epoch, `from` included, `to` not), of one partner where it is named. */
export interface PaymentFiguresRequest {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** Lower bounds of the bars of the time-to-result histogram, in milliseconds, ascending; the last bar is open-ended. */
export const timeToFinalEdgesMs: readonly number[] = [0, 1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400].map((seconds) => seconds * 1000);
/** Milliseconds after which a payment in process is overdue. */
export const overdueAfterMs = 15 * 60_000;

/** Number of payments that reached each stage; each number includes the ones after it. */
export interface PaymentFunnel {
  readonly created: number;
  /** Opened by the host app. */
  readonly accepted: number;
  /** With a known result. */
  readonly final: number;
  /** With a result that the miniapp has received. */
  readonly noticed: number;
}

/** A bar of the histogram: payments by the time from creation to result. */
export interface TimeToFinalBar {
  readonly fromMs: number;
  readonly toMs?: number | undefined;
  readonly final: number;
  /** Overdue payments of this age that are still in process. */
  readonly overdue: number;
}

export interface PaymentCounts {
  readonly funnel: PaymentFunnel;
  /** Opened payments without a result, including overdue ones. */
  readonly inProcess: number;
  readonly overdue: number;
  readonly bars: readonly TimeToFinalBar[];
  /** Percentiles of the time to a result, in milliseconds; absent where no payment is final. */
  readonly p50Ms?: number | undefined;
  readonly p95Ms?: number | undefined;
}

/** Reads statistics of payments. */
export interface PaymentFigureReader {
  count(request: PaymentFiguresRequest): Promise<PaymentCounts>;
}
