import type { CircuitChange } from './endpoint';

/** A circuit that some process has opened and none has closed. `openMs` below 0: its time is over, and no probe has ended yet. */
export type SharedCircuit = Omit<CircuitChange, 'openMs'> & {
  readonly openMs: number;
  /** This process has opened it. */
  readonly isOwn: boolean;
};

/** Where processes tell one another which circuits are open. All throw Unavailable. */
export interface CircuitBoard {
  /** A circuit has opened here, for `openMs` from now on, or closed. */
  note(change: CircuitChange): Promise<void>;
  read(): Promise<readonly SharedCircuit[]>;
  /** Drops what has been over for ten minutes: nobody calls there any more. */
  forgetOld(): Promise<void>;
}
