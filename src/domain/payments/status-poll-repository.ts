import type { PollTurn } from './poll-pace';
import type { PaymentKey } from './ports';

/** A due poll, claimed by this process. */
export interface DueStatusPoll extends PaymentKey {
  /** The payment's id. */
  readonly id: string;
  /** The host app to poll. */
  readonly clientId: string;
  readonly turn: PollTurn;
  /** Identifies this claim; a later claim has another value. */
  readonly lease: string;
}

/** Identifies a poll and the claim that holds it. */
export type PollClaim = Pick<DueStatusPoll, 'id' | 'clientId' | 'turn' | 'lease'>;

/** The host app did not answer, or answered that it cannot serve now. */
export interface HostAppTrouble {
  /** Backoff in milliseconds from now, if the host app gets one. */
  readonly backoffMs: number;
  /** Whether it gave no answer or sent Retry-After: then it always gets the backoff. Otherwise only at the lowest pace. */
  readonly isAway: boolean;
}

/** The result of a claimed poll. */
export interface PollEnd {
  /** When the poll was made, in milliseconds since the epoch. Absent when it was skipped. */
  readonly polledAt?: number | undefined;
  /** The host app's status word, or an error code where there is none. */
  readonly outcome: string;
  /** When to poll next, in milliseconds after the payment's creation. Absent: never again. */
  readonly nextAfterMs?: number | undefined;
  /** Whether the host app answered quickly and without trouble, so that the pace may grow. */
  readonly isWell?: boolean | undefined;
  readonly trouble?: HostAppTrouble | undefined;
}

/** Number of polls and results that ended by age. */
export interface Overdue {
  /** Payments that are no longer polled, because their host app stayed unreachable. */
  readonly polls: number;
  /** Results for which no payment was opened; each is counted once. */
  readonly results: number;
}

/** The limits of a claim. */
export interface PollRequest {
  readonly limit: number;
  readonly leaseMs: number;
  /** Maximum status polls per second at one host app without its own limit (host app setting `reconcile_max_per_second`). */
  readonly maxPerSecond: number;
}

/**
 * Planned status polls of payments in process, shared by all instances; the intent stores the first one. A claim lasts `leaseMs`; then
 * anybody may claim the poll anew, and the former claim changes nothing any more.
 */
export interface StatusPollRepository {
  /**
   * Claims due polls at each host app as its pace allows (`pollRules`): first payments that were never polled, then the longest due. None
   * during a backoff, and then one at a time until the host app has been reached again.
   */
  claimDue(request: PollRequest): Promise<readonly DueStatusPoll[]>;
  /**
   * Resolves to false when the claim was no longer held; then the payment's plan stays. The news of the host app counts in any case,
   * unless the poll began before the host app's last trouble: polls that failed side by side count as one failure, and halve the pace
   * once.
   */
  finish(claim: PollClaim, end: PollEnd): Promise<boolean>;
  /** Ends polls of payments older than `pollsEndAfterMs`, and finds results older than `resultsAfterMs` that have no payment (milliseconds). */
  endOverdue(age: { readonly pollsEndAfterMs: number; readonly resultsAfterMs: number }): Promise<Overdue>;
}
