export type Circuit = 'closed' | 'open' | 'half-open';

/** An endpoint that failed, as it stood when a delivery of its lane was claimed. */
export interface LaneTrouble {
  /** Milliseconds, by the clock of the storage. */
  readonly forMs: number;
  readonly circuit: Circuit;
  /** Its last attempt failed. */
  readonly isFailing: boolean;
}
