import type { DeliveryKind, DeliveryState } from './delivery';

/** Which deliveries are wanted again: all that are named must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface ResendFilter {
  readonly clientId?: string;
  readonly appId?: string;
  readonly kind?: DeliveryKind;
  readonly state?: DeliveryState;
  /** Owed since then, or later. */
  readonly from?: number;
  readonly to?: number;
  /** Given up then, or later. */
  readonly failedSince?: number;
  /** Owed then, or later, and not delivered. */
  readonly missingSince?: number;
}

/** `running`: not each of its deliveries has been asked for yet. */
export const resendStates = ['running', 'done', 'cancelled'] as const;
export type ResendState = (typeof resendStates)[number];

export const resendRules = {
  /** Deliveries of one batch at most. */
  most: 100_000,
  /** Deliveries a second, unless another number is asked for, and at most. */
  perSecond: 10,
  fastest: 100,
  /** Milliseconds between two steps of a batch. */
  stepMs: 1000,
  /** Ids that a preview shows. */
  previewed: 20,
} as const;

/** A batch as it was begun. */
export interface ResendStart {
  readonly id: string;
  readonly filter: ResendFilter;
  readonly perSecond: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Deliveries that the operator wants again, so many a second. */
export interface Resend extends ResendStart {
  readonly state: ResendState;
  /** Its deliveries. */
  readonly count: number;
  /** All have been asked for, or it was cancelled. */
  readonly endedAt?: number | undefined;
}

/** How its deliveries stand. */
export interface ResendProgress extends Resend {
  /** Not attempted yet; of a batch that was cancelled, not attempted for it. */
  readonly waiting: number;
  readonly delivered: number;
  /** Attempted and not received; it goes on with its schedule. */
  readonly failed: number;
}

/** What a batch of this filter would hold. */
export interface ResendPreview {
  readonly count: number;
  /** The first of them, oldest first. */
  readonly ids: readonly string[];
}
