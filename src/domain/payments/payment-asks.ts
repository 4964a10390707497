import type { PollTurn } from './poll-pace';
import type { PaymentKey } from './ports';

/** An ask that is due, claimed. */
export interface DueAsk extends PaymentKey {
  /** Of the payment. */
  readonly id: string;
  /** The host app that is asked. */
  readonly clientId: string;
  readonly turn: PollTurn;
  /** Names this claim; who claims next has another one. */
  readonly lease: string;
}

/** Which ask, under which claim. */
export type AskClaim = Pick<DueAsk, 'id' | 'clientId' | 'turn' | 'lease'>;

/** The host app did not answer, or answered that it cannot serve now. */
export interface HostAppTrouble {
  /** For how long it is left alone where it is, in milliseconds from now. */
  readonly quietMs: number;
  /** It gave no answer, or said when to come back: it is left alone in any case. Otherwise only where it was asked slowly already. */
  readonly isAway: boolean;
}

/** How a claim ended. */
export interface AskEnd {
  /** When the ask was made, in milliseconds since the epoch; absent: it was passed over. */
  readonly askedAt?: number | undefined;
  /** The word that the host app said, or a code: why there is none. */
  readonly outcome: string;
  /** In milliseconds after the payment's creation; absent: no more. */
  readonly nextAfterMs?: number | undefined;
  /** It answered soon and well, which is a reason to go faster. */
  readonly isWell?: boolean | undefined;
  readonly trouble?: HostAppTrouble | undefined;
}

/** Payments whose polling ended by age. */
export interface Overdue {
  /** Payments that are asked about no more, though their host app was never back. */
  readonly asks: number;
  /** Results that no payment was opened for; each is counted once. */
  readonly results: number;
}

/** What may be claimed. */
export interface AskRequest {
  readonly limit: number;
  readonly leaseMs: number;
  /** The cap of status polls per second at one host app that has none of its own (host app setting `reconcile_max_per_second`). */
  readonly maxPerSecond: number;
}

/**
 * When payments in process are asked about at their host apps, shared by all instances; the first time comes with the intent.
 * A claim lasts `leaseMs`; then anybody may claim the ask anew, and who held it changes nothing any more.
 */
export interface PaymentAsks {
  /**
   * Claims due polls at each host app as its pace allows (`pollRules`): payments that were never asked about first, then those that are due
   * longest. None while it is left alone, and one at a time until it has been reached again.
   */
  claimDue(request: AskRequest): Promise<readonly DueAsk[]>;
  /**
   * False: the claim was not ours any more, and the payment's plan stays. What it says of the host app counts in any case, but where it began
   * before the host app's last trouble: polls that failed side by side count as one failure, and halve the pace once.
   */
  finish(claim: AskClaim, end: AskEnd): Promise<boolean>;
  /** Ends asks of payments older than `asksAfterMs`, and finds results older than `resultsAfterMs` that have no payment (milliseconds). */
  endOverdue(age: { readonly asksAfterMs: number; readonly resultsAfterMs: number }): Promise<Overdue>;
}
