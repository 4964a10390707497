/** An address that called. */
export interface Caller {
  readonly address: string;
  readonly admitted: number;
  readonly refused: number;
  readonly last_at: string;
  readonly last_request_id: string;
}

/** An entry of the list, and the calls of 30 days from there. */
export interface Entry {
  readonly entry: string;
  readonly label?: string;
  readonly wide: boolean;
  readonly hits: number;
  readonly last_at?: string;
}

/** The allowlist of a partner as the manage API tells it. */
export interface Allowlist {
  readonly enabled: boolean;
  readonly entries: readonly Entry[];
  readonly refused: readonly (Caller & { readonly count: number })[];
  readonly callers: readonly Caller[];
  readonly counted_since: string;
  readonly your_address: string;
  readonly platform_addresses: readonly string[];
  readonly trusted_proxies?: readonly string[];
}

/** What another list would have done. */
export interface Trial {
  readonly since: string;
  readonly calls: number;
  readonly refused: number;
  readonly callers: readonly Caller[];
}

/** Stands for addresses that were too many to be told apart. */
export const otherAddresses = 'other';
