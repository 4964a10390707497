export type Circuit = 'closed' | 'open' | 'half-open';

/** State of a failing endpoint when a delivery of its queue was claimed. */
export interface EndpointTrouble {
  /** Milliseconds for which the endpoint has been in trouble, by the database's clock. */
  readonly forMs: number;
  readonly circuit: Circuit;
  /** Whether the endpoint's last attempt failed. */
  readonly isFailing: boolean;
}
