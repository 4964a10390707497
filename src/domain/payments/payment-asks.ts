import type { PaymentKey } from './ports';

/** An ask that is due, claimed. */
export interface DueAsk extends PaymentKey {
  /** Of the payment. */
  readonly id: string;
  /** The host app that is asked. */
  readonly clientId: string;
  /** How often in a row it could not be reached. */
  readonly failures: number;
  /** Names this claim; who claims next has another one. */
  readonly lease: string;
}

/** Which ask, under which claim. */
export type AskClaim = Pick<DueAsk, 'id' | 'clientId' | 'failures' | 'lease'>;

/** How a claim ended. */
export interface AskEnd {
  /** When the ask was made, in milliseconds since the epoch; absent: it was passed over. */
  readonly askedAt?: number | undefined;
  /** The word that the host app said, or a code: why there is none. */
  readonly outcome: string;
  /** In milliseconds since the epoch; absent: no more. */
  readonly nextAt?: number | undefined;
  /** The host app is in trouble: it is left alone until then, in milliseconds since the epoch. */
  readonly quietUntil?: number | undefined;
}

/** What came to an end by its age. */
export interface Overdue {
  /** Payments that are asked about no more, though their host app was never back. */
  readonly asks: number;
  /** Results that no payment was opened for; each is counted once. */
  readonly results: number;
}

/**
 * When payments in process are asked about at their host apps, shared by all instances; the first time comes with the intent.
 * A claim lasts `leaseMs`; then anybody may claim the ask anew, and who held it changes nothing any more.
 */
export interface PaymentAsks {
  /**
   * Claims what is due, in each host app what is due longest: `askRules.places` under way there over all instances, begun at
   * most each `askRules.turnEveryMs`; none while it is left alone, and one at a time until it has been reached again.
   */
  claimDue(request: { readonly limit: number; readonly leaseMs: number }): Promise<readonly DueAsk[]>;
  /**
   * False: the claim was not ours any more, and the payment's plan stays. What it says of the host app counts in any case:
   * asks that failed side by side count as one failure, one that reached it after failures ends them.
   */
  finish(claim: AskClaim, end: AskEnd): Promise<boolean>;
  /** Ends asks of payments created before `createdBefore`, and finds results that came before `reportedBefore` and have no payment. */
  endOverdue(before: { readonly createdBefore: number; readonly reportedBefore: number }): Promise<Overdue>;
}
