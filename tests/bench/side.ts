import type { BenchPairs } from './bench-partners';
import type { Loaded } from './round';
import type { Surroundings } from './stage';

/** What answers the calls: the service, or a peer. */
export interface Side {
  readonly url: string;
  readonly pairs: BenchPairs;
  readonly context: Surroundings;
  readonly loaded: Loaded;
  /** What it has logged at level warn or above, each event once with how often. */
  complaints(): Promise<ReadonlyMap<string, number>>;
  /** Bytes that its heap is asked for while `work` runs; absent where that is not measured. */
  allocatedDuring?(work: () => Promise<void>): Promise<number>;
}
