/** One change of a user's consent: who, which fields, when, by which call. */
export interface ConsentEntry {
  readonly integrationId: string;
  /** The user's reference at the host app. */
  readonly reference: string;
  readonly granted: boolean;
  /** The user fields consented to; absent: not said. */
  readonly fields?: readonly string[] | undefined;
  readonly textVersion?: string | undefined;
  /** The call that said so: `connect`, `authorize`, `save_consent`, `revoke`, … */
  readonly call: string;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The user of one integration. */
export interface ConsentKey {
  readonly integrationId: string;
  readonly reference: string;
}
