import type { CircuitChange, Trial } from './endpoint';

/** A circuit that a process opened and none closed. Negative `openMs`: its open time is over, and no probe has ended yet. */
export type SharedCircuit = Omit<CircuitChange, 'openMs'> & {
  readonly openMs: number;
  /** Whether this process opened it. */
  readonly isOwn: boolean;
};

/** Identifies a circuit: of an endpoint, or of one integration there. */
export type CircuitName = Trial['of'];

/** Open circuits, shared by all processes. All methods throw Unavailable. */
export interface CircuitStore {
  /** Stores that a circuit opened here, for `openMs` from now on, or closed. */
  note(change: CircuitChange): Promise<void>;
  /**
   * Claims the trial of a circuit, whose open time is over, for `forMs`. Resolves to 0 if this process has the claim or the circuit is not
   * shared; otherwise to the milliseconds for which it is open or claimed by another process.
   */
  claimTrial(circuit: CircuitName, forMs: number): Promise<number>;
  read(): Promise<readonly SharedCircuit[]>;
  /** Removes circuits that have been over for ten minutes, as nobody calls there any more. */
  forgetOld(): Promise<void>;
}
