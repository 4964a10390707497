import type { UserKey } from './user-data';

/** One change of a user's consent. */
export interface ConsentEntry extends ConsentKey {
  readonly granted: boolean;
  /** The user fields of the consent. Absent when the call named none. */
  readonly fields?: readonly string[] | undefined;
  readonly textVersion?: string | undefined;
  /** The call that changed the consent: `connect`, `authorize`, `save_consent`, `revoke`, … */
  readonly call: string;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Identifies a user within an integration of the user's host app. */
export interface ConsentKey extends UserKey {
  readonly integrationId: string;
}
