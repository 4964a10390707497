import type { Magic } from './magic-values';

export type SheetResult = 'paid' | 'cancelled' | 'failed';

/** One report that the host app makes to the service of how a payment ended. */
export interface PlannedReport {
  readonly result: SheetResult;
  readonly failReason?: string;
}

/** What follows from what the user did on the payment sheet. */
export interface SheetPlan {
  /** How long the host app takes before anything is final, in milliseconds. */
  readonly afterMs: number;
  /** Made one after the other; the first is what the host app's own books say. None: it stays in process. */
  readonly reports: readonly PlannedReport[];
}

/** How late the late completion is, in milliseconds. */
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

/** The user confirms the payment. */
export const planOfPaying = (magic: Magic | undefined): SheetPlan =>
  (magic === undefined ? undefined : plans[magic]) ?? { afterMs: 0, reports: [paid] };

/** The user closes the sheet. */
export const planOfCancelling: SheetPlan = { afterMs: 0, reports: [{ result: 'cancelled' }] };
