import type { CircuitChange, Trial } from './endpoint';

/** A circuit that some process has opened and none has closed. `openMs` below 0: its time is over, and no probe has ended yet. */
export type SharedCircuit = Omit<CircuitChange, 'openMs'> & {
  readonly openMs: number;
  /** This process has opened it. */
  readonly isOwn: boolean;
};

/** A circuit: of an endpoint, or of one integration there. */
export type CircuitName = Trial['of'];

/** Where processes tell one another which circuits are open. All throw Unavailable. */
export interface CircuitBoard {
  /** A circuit has opened here, for `openMs` from now on, or closed. */
  note(change: CircuitChange): Promise<void>;
  /**
   * Claims the trial of a circuit whose time is over, for `forMs`: 0, it is this process's, or nobody shares the circuit. Else it is open, or
   * another process's: the milliseconds for which it is so.
   */
  claimTrial(circuit: CircuitName, forMs: number): Promise<number>;
  read(): Promise<readonly SharedCircuit[]>;
  /** Drops what has been over for ten minutes: nobody calls there any more. */
  forgetOld(): Promise<void>;
}
