import type { CheckedPartner } from '../../exchanges/exchange';
import type { CredentialSlot } from '../credential';
import type { SignatureSettings } from '../signing/signature-settings';

export const dryRunModes = ['observe', 'accept'] as const;
/** `observe`: calls are also checked with the dry run, without consequences; `accept`: calls that pass the dry run are accepted. */
export type DryRunMode = (typeof dryRunModes)[number];

/** Signature settings that are tried on every call beside the stored ones, until they are promoted, ended or expired. */
export interface SignatureDryRun {
  /** Distinguishes the counts of one dry run from those of the next. */
  readonly id: string;
  readonly mode: DryRunMode;
  readonly signature: SignatureSettings;
  /** The slot of the key that the partner signs with under the dry run: `next` for a new key, `previous` after a promotion. */
  readonly keySlot: CredentialSlot;
  /** Milliseconds since the epoch, as is `until`. */
  readonly since: number;
  readonly until: number;
}

export const dryRunRules = {
  /** Default and maximum duration in seconds; limited, because two accepted settings are meant for a transition only. */
  defaultS: 7 * 86_400,
  maxS: 30 * 86_400,
  /** Number of latest calls of a dry run that are kept individually. */
  callsKept: 500,
} as const;

/**
 * The result of a call that passed the stored settings or the dry run. `passed`: the dry run accepts it; `refused`: only the dry run
 * refuses it; `gained`: only the dry run accepts it.
 */
export type DryRunVerdict = 'passed' | 'refused' | 'gained';

/** Why the dry run refuses a call: the error code that the caller would get, and the cause as a keyword. */
export interface DryRunReason {
  readonly errorCode?: string | undefined;
  readonly cause?: string | undefined;
}

/** One call that was checked with the dry run. */
export interface DryRunCall extends DryRunReason {
  readonly verdict: DryRunVerdict;
  readonly requestId: string;
  /** The path of the call, without its query. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Number of calls with the same result since the dry run began. */
export interface DryRunCount extends DryRunReason {
  readonly verdict: DryRunVerdict;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Identifies a dry run. */
export interface DryRunKey {
  readonly partner: CheckedPartner;
  readonly dryRunId: string;
}

/** Records results of dry runs. Returns at once and never fails; written in batches soon after. */
export interface DryRunLog {
  tried(key: DryRunKey, call: DryRunCall): void;
}

/** Reads results of dry runs. A call is counted within two seconds; results are kept for 31 days. */
export interface DryRunReader {
  /** Sorted by number of calls, the highest first. */
  counts(key: DryRunKey): Promise<readonly DryRunCount[]>;
  /** The latest first, at most `dryRunRules.callsKept`. */
  latest(key: DryRunKey): Promise<readonly DryRunCall[]>;
}
