import type { ChangeOrigin } from '../partners/partner-draft';
import type { LongRuns } from './long-runs';
import type { LongRun } from './ports';

/** How many values a key seals, and where: by `table.column`. */
export interface SealsOfKey {
  readonly id: string;
  readonly values: number;
  readonly places: Readonly<Record<string, number>>;
}

/** What became of the values of one column so far. */
export interface RewrappedColumn {
  readonly table: string;
  readonly column: string;
  readonly seen: number;
  readonly resealed: number;
  /** Sealed under the key already. */
  readonly current: number;
  /** Written by others meanwhile, and looked at again. */
  readonly overtaken: number;
  /** Sealed under a key that is not in the ring, or damaged; left as they are. */
  readonly unreadable: number;
}

export interface RewrapProgress {
  /** Columns that are through, and of how many. */
  readonly columns: readonly RewrappedColumn[];
  readonly of: number;
  /** Values seen so far in the column under way. */
  readonly seen: number;
  /** Other keys that still seal something; absent until the end. */
  readonly others?: readonly SealsOfKey[];
}

export interface RewrapRequest {
  /** The key that shall seal everything. */
  readonly key: string;
}

/** The encryption keys of this process, and what they seal. */
export interface KeyRing {
  /** Ids, the one that seals first. */
  readonly ids: readonly string[];
  /** Opens nothing; reads every table that holds sealed values. */
  census(): Promise<readonly SealsOfKey[]>;
  /** Seals everything under the first key while others serve. Stops where `tell` resolves to true. */
  reseal(tell: (progress: RewrapProgress) => Promise<boolean>): Promise<RewrapProgress>;
}

export type RewrapRun = LongRun<RewrapRequest, RewrapProgress>;

/** Seals every stored value anew under the first encryption key. Throws AlreadyRunning. */
export class RewrapKeys {
  constructor(private readonly deps: { readonly ring: KeyRing; readonly runs: LongRuns<RewrapRequest, RewrapProgress> }) {}

  async execute(command: ChangeOrigin & { readonly reason?: string | undefined }): Promise<RewrapRun> {
    const { ring, runs } = this.deps;
    const [key = ''] = ring.ids;
    const start = { ...command, subject: key, request: { key }, progress: { columns: [], of: 0, seen: 0 } };
    return runs.start(start, (report) => ring.reseal(report));
  }
}
