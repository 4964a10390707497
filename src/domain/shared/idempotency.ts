/** A call with an idempotency key, so that it happens once. The same key of another caller, integration or path is another call. */
export interface IdempotentCall {
  /** `host-app` or `miniapp` and the caller's id, joined to one text. */
  readonly caller: string;
  readonly integrationId: string;
  /** The endpoint's path. */
  readonly path: string;
  /** The caller's Idempotency-Key: 1 to 255 printable ASCII characters. */
  readonly key: string;
}

/** A stored answer, as it was sent. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/**
 * The state of a call. `mismatch`: the key was used with another body. `died`: a run ended without an answer, and it is unknown whether it
 * had an effect.
 */
export type IdempotencyState =
  | { readonly state: 'claimed'; readonly lease: string }
  | { readonly state: 'running' }
  | { readonly state: 'mismatch' }
  | { readonly state: 'finished'; readonly answer: KeptAnswer }
  | { readonly state: 'died' };

/** Milliseconds for which an answer, or the lack of one, is kept (contract/conventions#idempotency). */
export const answersKeptMs = 24 * 60 * 60 * 1000;

/** Stores calls that must happen once, shared by all instances. A run that died is never claimed a second time. */
export interface IdempotencyStore {
  /**
   * Claims the call for `leaseMs` if its key is new, or its record is older than `answersKeptMs`; otherwise returns the state of the
   * earlier call. `bodyDigest` represents the body. Of concurrent callers exactly one gets the claim.
   */
  claim(call: IdempotentCall, bodyDigest: Uint8Array, leaseMs: number): Promise<IdempotencyState>;
  /** Stores the answer of the run `lease`, even if its lease has expired meanwhile. */
  finish(call: IdempotentCall, lease: string, answer: KeptAnswer): Promise<void>;
  /** Deletes the record of the run `lease`, so that the call may happen again. */
  release(call: IdempotentCall, lease: string): Promise<void>;
}
