/** An address that called. */
export interface Caller {
  readonly address: string;
  readonly admitted: number;
  readonly refused: number;
  readonly last_at: string;
  readonly last_request_id: string;
}

/** An entry of the list, and its calls of the last 30 days. */
export interface Entry {
  readonly entry: string;
  readonly label?: string;
  readonly wide: boolean;
  readonly hits: number;
  readonly last_at?: string;
}

/** A partner's allowlist in the manage API. */
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

/** The effect that another list would have had. */
export interface Trial {
  readonly since: string;
  readonly calls: number;
  readonly refused: number;
  readonly callers: readonly Caller[];
}

/** Replaces addresses that were too many to count separately. */
export const otherAddresses = 'other';
