import type { AuditEntry } from '../partners/ports';

/** Which integration. */
export interface ShiftedPair {
  readonly clientId: string;
  readonly appId: string;
}

/** How much was brought nearer. */
export interface Moved {
  /** Owed and not yet received. */
  readonly deliveries: number;
  /** In process. */
  readonly payments: number;
}

/** What waits, and for what. */
export interface UpcomingStep {
  /** An attempt at a delivery, or an ask about a payment. */
  readonly what: 'delivery' | 'payment';
  readonly id: string;
  /** Milliseconds since the epoch; in the past where it is overdue. */
  readonly at: number;
}

/** The next event of one integration. */
export interface Upcoming {
  /** Attempts and asks that are being made. */
  readonly underWay: number;
  /** Of work that is not under way; absent: nothing waits. */
  readonly next?: UpcomingStep | undefined;
}

/**
 * Lets time pass for one integration alone. Time itself is not moved: what waits is brought nearer, and since when it waits with
 * it, so that whoever looks finds it as if the time had gone by. Claims and what has ended stay as they are.
 */
export interface TimeShift {
  /** Resolves to `undefined` where there is no such integration. */
  upcoming(pair: ShiftedPair): Promise<Upcoming | undefined>;
  /**
   * Brings nearer by `ms` milliseconds, together with the audit row: pending deliveries, with their attempts; the state of
   * the troubles of their lanes; payments in process, with their asks and results that came early; how long their host app is
   * spared. Lanes and host apps are shared: what waits there for others may come sooner. Resolves to `undefined`, and changes
   * nothing, where there is no such integration.
   */
  advance(by: ShiftedPair & { readonly ms: number }, audit: (moved: Moved) => AuditEntry): Promise<Moved | undefined>;
}
