import type { AuditEntry } from '../partners/ports';

/** Identifies an integration. */
export interface ShiftedPair {
  readonly clientId: string;
  readonly appId: string;
}

/** Number of records that were moved. */
export interface Moved {
  /** Pending deliveries. */
  readonly deliveries: number;
  /** Payments in process. */
  readonly payments: number;
}

/** The next due work. */
export interface UpcomingStep {
  /** An attempt at a delivery, or a status poll of a payment. */
  readonly what: 'delivery' | 'payment';
  readonly id: string;
  /** Milliseconds since the epoch; in the past when overdue. */
  readonly at: number;
}

/** The pending work of one integration. */
export interface Upcoming {
  /** Attempts and polls in flight. */
  readonly inFlight: number;
  /** The next work that is not in flight. Absent when there is none. */
  readonly next?: UpcomingStep | undefined;
}

/**
 * Simulates passing time for one integration. The clock stays; due times and creation times of pending work are moved back, as if the time
 * had passed. Claims and ended work stay as they are.
 */
export interface TimeShiftRepository {
  /** Resolves to `undefined` where there is no such integration. */
  upcoming(pair: ShiftedPair): Promise<Upcoming | undefined>;
  /**
   * Moves back by `ms` milliseconds, together with the audit row: pending deliveries with their attempts; the trouble of their queues;
   * payments in process, with their polls and early results; the backoff of their host app. Queues and host apps are shared, so work of
   * other integrations may become due sooner. Resolves to `undefined`, and changes nothing, where there is no such integration.
   */
  advance(by: ShiftedPair & { readonly ms: number }, audit: (moved: Moved) => AuditEntry): Promise<Moved | undefined>;
}
