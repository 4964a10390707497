/** The members of an exchange in the manage API that the playground reads. */
export interface ShownExchange {
  readonly id: string;
  readonly request_id: string;
  readonly app_id?: string;
  readonly call: string;
  readonly reference?: string;
  /** RFC 3339, like all times here. */
  readonly at: string;
  readonly ms: number;
  readonly status: number;
  readonly error_code?: string;
  readonly failed_side?: string;
  readonly checks: readonly string[];
  readonly legs: readonly ShownLeg[];
}

/** One call to a partner within an exchange. */
export interface ShownLeg {
  readonly to: 'hostapp' | 'miniapp';
  readonly step: string;
  readonly attempt: number;
  readonly started_at: string;
  readonly ms: number;
  /** Absent when there was no answer. */
  readonly status?: number;
  readonly error_code?: string;
  readonly cause?: string;
}

/** A delivery with its attempts, as the manage API shows it. */
export interface ShownDelivery {
  readonly id: string;
  readonly app_id?: string;
  readonly kind: 'completion' | 'event';
  readonly receiver: 'hostapp' | 'miniapp';
  readonly state: string;
  readonly attempt_count: number;
  readonly created_at: string;
  /** Time of the next attempt; absent when the delivery has ended. */
  readonly due_at?: string;
  readonly attempts: readonly ShownAttempt[];
}

export interface ShownAttempt {
  readonly reason: string;
  readonly at: string;
  readonly ms: number;
  readonly status?: number;
  readonly error_code?: string;
  readonly cause?: string;
}
