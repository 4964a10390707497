import type { CauseCode } from './cause';
import type { SampleLanguage } from './sample-languages';
import type { Excerpt } from './visible-text';

/**
 * `fits`: the signature is valid. `explained`: the mistake was found and proved. `unknown`: no known mistake explains it.
 * `settings-incomplete`: nothing can be checked before a missing setting is set.
 */
export type Verdict = 'fits' | 'explained' | 'unknown' | 'settings-incomplete';

/** A difference from the agreed settings; several codes apply together. */
export interface Cause {
  readonly codes: readonly CauseCode[];
  readonly sentence: string;
}

/** The texts around the first difference. */
export interface Difference {
  /** Offset in bytes. */
  readonly at: number;
  readonly expected: Excerpt;
  readonly signed: Excerpt;
}

/** Why a signature was refused. Holds no secret and no signature, neither sent nor expected. */
export interface Explanation {
  readonly verdict: Verdict;
  /** The first is the answer. */
  readonly causes: readonly Cause[];
  /** The answer in one sentence, addressed to the sender. */
  readonly sentence: string;
  /**
   * The text to sign, with visible symbols for invisible characters, cut in the middle where it is long. Absent when the settings are
   * incomplete.
   */
  readonly expectedString?: string;
  /** The text that was signed. Absent when it was not found. */
  readonly signedString?: string;
  readonly difference?: Difference;
  /** Seconds by which the sender's clock is ahead; negative: behind. */
  readonly clockSkewS?: number;
  /** Signing code for the app's settings, ready to run. */
  readonly code: Readonly<Record<SampleLanguage, string>>;
  /** Code that checks the platform's signatures under the same settings. */
  readonly checkingCode: Readonly<Record<SampleLanguage, string>>;
}
