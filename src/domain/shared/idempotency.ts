/** A call that its caller has named, so that it happens once: the same name elsewhere is another call. */
export interface IdempotentCall {
  /** Who calls: `host-app` or `miniapp` and its id, joined to one text. */
  readonly caller: string;
  readonly integrationId: string;
  /** The endpoint's path. */
  readonly path: string;
  /** The caller's Idempotency-Key: 1 to 255 printable ASCII characters. */
  readonly key: string;
}

/** An answer as it was sent. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/**
 * What a call meets. `mismatch`: the name was used with another body. `died`: a run ended without an answer, and nobody knows
 * whether it did what it was to do.
 */
export type IdempotencyState =
  | { readonly state: 'claimed'; readonly lease: string }
  | { readonly state: 'running' }
  | { readonly state: 'mismatch' }
  | { readonly state: 'finished'; readonly answer: KeptAnswer }
  | { readonly state: 'died' };

/** For how long an answer, or the lack of one, is remembered (contract/conventions#idempotency). */
export const answersKeptMs = 24 * 60 * 60 * 1000;

/** The memory that all instances share of calls that must happen once. A run that died is never claimed a second time. */
export interface IdempotencyLedger {
  /**
   * Claims the call for `leaseMs` where its name is new, or its record is older than `answersKeptMs`; else says what
   * became of it. `bodyDigest` stands for the body. Of many at once exactly one claims.
   */
  claim(call: IdempotentCall, bodyDigest: Uint8Array, leaseMs: number): Promise<IdempotencyState>;
  /** Keeps the answer of the run `lease`, even where its lease has run out meanwhile. */
  finish(call: IdempotentCall, lease: string, answer: KeptAnswer): Promise<void>;
  /** Forgets the run `lease`: the same call may happen again. */
  release(call: IdempotentCall, lease: string): Promise<void>;
}
