import type { CauseCode } from './cause';
import type { SampleLanguage } from './samples/sample';
import type { CheckingLanguage } from './samples/verifier';
import type { Excerpt } from './visible-text';

/**
 * `fits`: the signature is right. `explained`: the mistake was found and proved. `unknown`: none of the known mistakes
 * explains it. `settings-incomplete`: nothing can be checked before something is set.
 */
export type Verdict = 'fits' | 'explained' | 'unknown' | 'settings-incomplete';

/** The difference from the agreed settings; more than one code: all of it together. */
export interface Cause {
  readonly codes: readonly CauseCode[];
  readonly sentence: string;
}

/** Where the two texts part, around the place. */
export interface Difference {
  /** Offset in bytes. */
  readonly at: number;
  readonly expected: Excerpt;
  readonly signed: Excerpt;
}

/** Why a signature did not pass. Holds no secret and no signature, neither sent nor expected. */
export interface Explanation {
  readonly verdict: Verdict;
  /** The first is the answer. */
  readonly causes: readonly Cause[];
  /** The answer in one sentence, to the sender. */
  readonly sentence: string;
  /** What must be signed, its invisible characters shown, cut in the middle where it is long. Absent: the settings are not complete. */
  readonly expectedString?: string;
  /** The signed text, where it was found. */
  readonly signedString?: string;
  readonly difference?: Difference;
  /** Seconds that the sender's clock is ahead; negative: behind. */
  readonly clockSkewS?: number;
  /** Signing code for the app's settings, ready to run. */
  readonly code: Readonly<Record<SampleLanguage, string>>;
  /** Checks what the platform signs under the same settings. */
  readonly checkingCode: Readonly<Record<CheckingLanguage, string>>;
}
