import type { ChangeOrigin } from '../partners/partner-draft';
import type { LongRuns } from './long-runs';
import type { LongRun } from './ports';

/** Number of values that a key seals, in total and by `table.column`. */
export interface SealsOfKey {
  readonly id: string;
  readonly values: number;
  readonly byColumn: Readonly<Record<string, number>>;
}

/** Progress in one column. */
export interface RewrappedColumn {
  readonly table: string;
  readonly column: string;
  readonly seen: number;
  readonly resealed: number;
  /** Already sealed with the current key. */
  readonly current: number;
  /** Changed by other writers meanwhile, and read again. */
  readonly overtaken: number;
  /** Sealed with a key that is not in the ring, or damaged; left unchanged. */
  readonly unreadable: number;
}

export interface RewrapProgress {
  /** Finished columns, and the total number of columns. */
  readonly columns: readonly RewrappedColumn[];
  readonly of: number;
  /** Values read so far in the current column. */
  readonly seen: number;
  /** Other keys that still seal values. Absent until the end. */
  readonly others?: readonly SealsOfKey[];
}

export interface RewrapRequest {
  /** The key to seal everything with. */
  readonly key: string;
}

/** The encryption keys of this process, and the values that they seal. */
export interface KeyRing {
  /** Ids of the keys; the first one seals. */
  readonly ids: readonly string[];
  /** Counts values by key without decrypting them; reads every table with sealed values. */
  census(): Promise<readonly SealsOfKey[]>;
  /** Reseals all values with the first key, while the service runs. Stops when `report` resolves to true. */
  reseal(report: (progress: RewrapProgress) => Promise<boolean>): Promise<RewrapProgress>;
}

export type RewrapRun = LongRun<RewrapRequest, RewrapProgress>;

/** Reseals every stored value with the first encryption key. Throws AlreadyRunning. */
export class RewrapKeys {
  constructor(private readonly deps: { readonly notify: KeyRing; readonly runs: LongRuns<RewrapRequest, RewrapProgress> }) {}

  async execute(command: ChangeOrigin & { readonly reason?: string | undefined }): Promise<RewrapRun> {
    const { notify, runs } = this.deps;
    const [key = ''] = notify.ids;
    const start = { ...command, subject: key, request: { key }, progress: { columns: [], of: 0, seen: 0 } };
    return runs.start(start, (report) => notify.reseal(report));
  }
}
