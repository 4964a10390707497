import type { Secret } from '../secret';

/** Identifies a piece of shared work. The key may hold secrets; it is stored only as a keyed digest. */
export interface SharedTaskKey {
  readonly purpose: 'auth-code' | 'client-token';
  readonly key: string;
}

/** The failure of a run, for the callers that waited for it. */
export interface SharedTaskFailure {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  /** ErrorDetails, printed as JSON. */
  readonly details: string;
}

/** The state of a piece of work. `lease` identifies one run of it. */
export type SharedTaskState =
  | { readonly state: 'claimed'; readonly lease: string }
  | { readonly state: 'running'; readonly lease: string }
  | { readonly state: 'completed'; readonly value: Secret }
  | { readonly state: 'failed'; readonly lease: string; readonly failure: SharedTaskFailure };

/**
 * Coordinates work that must happen once over all instances, such as a code exchange or a token fetch. No transaction, lock or connection
 * is held between the calls; work with an expired lease can be claimed again.
 */
export interface SharedTaskStore {
  /**
   * Returns a completed value that has not expired; otherwise claims the work for `leaseMs` if no run is in progress (never begun, failed,
   * expired, or its lease ran out); otherwise returns the running one. One conditional write: of concurrent callers exactly one gets the
   * claim.
   */
  claim(key: SharedTaskKey, leaseMs: number): Promise<SharedTaskState>;
  /** As claim, but never claims: the state of the work. `undefined` when nothing is stored of it any more. */
  find(key: SharedTaskKey): Promise<SharedTaskState | undefined>;
  /** Stores the value until `ttlMs` from now. False: the lease is no longer held, and nothing was stored. */
  complete(key: SharedTaskKey, lease: string, value: Secret, ttlMs: number): Promise<boolean>;
  /** Ends the run; waiting callers get the failure. The next claim starts anew. */
  fail(key: SharedTaskKey, lease: string, failure: SharedTaskFailure): Promise<void>;
  /** Deletes a completed value, if it still is `value`, such as a refused token. */
  drop(key: SharedTaskKey, value: Secret): Promise<void>;
}
