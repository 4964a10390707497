/** A user's consent for a miniapp. */
export interface Consent {
  readonly app_id: string;
  readonly granted: boolean;
  readonly fields?: readonly string[];
  readonly text_version?: string;
  readonly at: string;
}

/** A user of a host app as the manage API shows it: masked; times in RFC 3339. */
export interface User {
  readonly id: string;
  readonly client_id: string;
  /** Masked. */
  readonly reference: string;
  readonly first_sign_on_at?: string;
  readonly last_sign_on_at?: string;
  readonly tokens?: { readonly stored_at: string; readonly refreshable: boolean };
  readonly consents: readonly Consent[];
}
