/** A user of the host app, as its page knows them. */
export interface Profile {
  readonly reference: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly phone: string;
  readonly tier: string;
}

/** Settings that the host app's back end sends to its page at the start. */
export interface PlaygroundSettings {
  /** URL of the service, without a trailing slash. */
  readonly service: string;
  readonly client_id: string;
  readonly app_id: string;
  readonly consent_text: string;
  readonly users: readonly Profile[];
}

/** How the miniapp gets its session: with an auth code that the SDK exchanges, or with tokens that the host app's back end fetched. */
export type Flow = 'code' | 'direct';
