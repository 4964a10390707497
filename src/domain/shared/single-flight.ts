import type { Secret } from './secret';

/** A shared piece of work: what for, and which one of them. The key may hold secrets; it is stored only as a keyed digest. */
export interface FlightKey {
  readonly purpose: 'auth-code' | 'client-token';
  readonly key: string;
}

/** A failed run, for those who waited for it. */
export interface FlightFailure {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  /** ErrorDetails, printed as JSON. */
  readonly details: string;
}

/** What a look at a piece of work finds. `lease` names one run of it. */
export type FlightState =
  | { readonly state: 'claimed'; readonly lease: string }
  | { readonly state: 'running'; readonly lease: string }
  | { readonly state: 'landed'; readonly value: Secret }
  | { readonly state: 'failed'; readonly lease: string; readonly failure: FlightFailure };

/**
 * The memory that all instances share of work that must happen once: a code exchange, a token fetch. No transaction,
 * lock or connection is held between the calls; a lease that ran out can be claimed again.
 */
export interface FlightBoard {
  /**
   * A value that has landed and not expired; else claims the work for `leaseMs` where nobody runs it (never begun, failed,
   * expired, or its lease ran out); else says who runs it. One conditional write: of many at once exactly one claims.
   */
  claim(key: FlightKey, leaseMs: number): Promise<FlightState>;
  /** As claim, but never claims: what became of the run `lease`. `undefined`: nothing is known of it any more. */
  look(key: FlightKey): Promise<FlightState | undefined>;
  /** Keeps the value until `ttlMs` from now. False: the lease is not ours any more, and nothing was stored. */
  land(key: FlightKey, lease: string, value: Secret, ttlMs: number): Promise<boolean>;
  /** Tells those who wait. The next claim starts anew. */
  fail(key: FlightKey, lease: string, failure: FlightFailure): Promise<void>;
  /** Forgets a landed value, if it still is `value`: a token that was refused. */
  drop(key: FlightKey, value: Secret): Promise<void>;
}
