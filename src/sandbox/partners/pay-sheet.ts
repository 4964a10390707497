import type { Magic } from './magic-values';

export type SheetResult = 'paid' | 'cancelled' | 'failed';

/** A report to the service about a payment's result. */
export interface PlannedReport {
  readonly result: SheetResult;
  readonly failReason?: string;
}

/** The effects of the user's action on the payment sheet. */
export interface SheetPlan {
  /** Milliseconds before the host app has a final result. */
  readonly afterMs: number;
  /** Sent one after the other. The first is the result in the host app's own records. When empty, the payment stays in process. */
  readonly reports: readonly PlannedReport[];
}

/** Delay of the late completion in milliseconds. */
export const lateByMs = 90_000;

const paid: PlannedReport = { result: 'paid' };
const declined: PlannedReport = { result: 'failed', failReason: 'Declined by the simulated bank' };

const plans: Readonly<Partial<Record<Magic, SheetPlan>>> = {
  declined: { afterMs: 0, reports: [declined] },
  'stays in process': { afterMs: 0, reports: [] },
  late: { afterMs: lateByMs, reports: [paid] },
  double: { afterMs: 0, reports: [paid, paid] },
  conflicting: { afterMs: 0, reports: [paid, declined] },
};

/** Effects of confirming the payment. */
export const planOfPaying = (magic: Magic | undefined): SheetPlan =>
  (magic === undefined ? undefined : plans[magic]) ?? { afterMs: 0, reports: [paid] };

/** Effects of closing the sheet. */
export const planOfCancelling: SheetPlan = { afterMs: 0, reports: [{ result: 'cancelled' }] };
