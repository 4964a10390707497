import type { DeliveryKind, DeliveryState } from './delivery';

/** Selects the deliveries to resend; every given condition must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface ResendFilter {
  readonly clientId?: string;
  readonly appId?: string;
  readonly kind?: DeliveryKind;
  readonly state?: DeliveryState;
  /** Made at this time or later. */
  readonly from?: number;
  readonly to?: number;
  /** Given up at this time or later. */
  readonly failedSince?: number;
  /** Made at this time or later, and not delivered. */
  readonly missingSince?: number;
}

/** `running`: some deliveries of the batch are not queued again yet. */
export const resendStates = ['running', 'done', 'cancelled'] as const;
export type ResendState = (typeof resendStates)[number];

export const resendRules = {
  /** Maximum number of deliveries in one batch. */
  maxDeliveries: 100_000,
  /** Deliveries a second: the default, and below it the maximum. */
  perSecond: 10,
  fastest: 100,
  /** Milliseconds between two steps of a batch. */
  stepMs: 1000,
  /** Number of ids that a preview shows. */
  previewed: 20,
} as const;

/** A batch as it was started. */
export interface ResendStart {
  readonly id: string;
  readonly filter: ResendFilter;
  readonly perSecond: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A batch of deliveries that are resent at a limited rate. */
export interface Resend extends ResendStart {
  readonly state: ResendState;
  /** Number of deliveries in the batch. */
  readonly count: number;
  /** When the last delivery was queued again or the batch was cancelled, in milliseconds since the epoch. */
  readonly endedAt?: number | undefined;
}

/** A batch with the progress of its deliveries. */
export interface ResendProgress extends Resend {
  /** Not attempted yet; in a cancelled batch: never attempted for this batch. */
  readonly waiting: number;
  readonly delivered: number;
  /** Attempted and not received; each goes on with its own schedule. */
  readonly failed: number;
}

/** What a batch with this filter would contain. */
export interface ResendPreview {
  readonly count: number;
  /** The first ids, oldest delivery first. */
  readonly ids: readonly string[];
}
