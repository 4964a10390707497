import type { CheckedPartner } from '../exchanges/exchange';
import type { CredentialSlot } from './credential';
import type { SignatureSettings } from './signature-settings';

export const shadowModes = ['observe', 'accept'] as const;
/** `observe`: calls are checked by it, too, and nothing follows from that; `accept`: what it lets pass is let pass. */
export type ShadowMode = (typeof shadowModes)[number];

/** Signature settings beside those that are stored: tried on every call, until they are promoted, ended, or their time is over. */
export interface SignatureShadow {
  /** Separates the counts of one shadow from those of the next. */
  readonly id: string;
  readonly mode: ShadowMode;
  readonly signature: SignatureSettings;
  /** Which value of its kind the partner signs with under the shadow: one that waits for it, or after a promotion the one before. */
  readonly keySlot: CredentialSlot;
  /** Milliseconds since the epoch, as is the next. */
  readonly since: number;
  readonly until: number;
}

export const shadowRules = {
  /** Seconds that a shadow holds unless somebody says otherwise, and at most: two ways in are for a change, not for good. */
  usualS: 7 * 86_400,
  mostS: 30 * 86_400,
  /** The latest calls of a shadow that are kept one by one. */
  callsKept: 500,
} as const;

/**
 * How a call fared that was proven one way at least. `passed`: the shadow lets it pass; `refused`: the shadow alone would not;
 * `gained`: the shadow alone would.
 */
export type ShadowVerdict = 'passed' | 'refused' | 'gained';

/** Why the shadow does not let a call pass: the code that its caller would get, and the cause in one word. */
export interface ShadowReason {
  readonly errorCode?: string | undefined;
  readonly cause?: string | undefined;
}

/** One call that was tried. */
export interface ShadowCall extends ShadowReason {
  readonly verdict: ShadowVerdict;
  readonly requestId: string;
  /** Where it went, without its query. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What happened to calls since the shadow is there. */
export interface ShadowCount extends ShadowReason {
  readonly verdict: ShadowVerdict;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Whose shadow. */
export interface ShadowKey {
  readonly partner: CheckedPartner;
  readonly shadowId: string;
}

/** Hears how calls fare under shadows. Returns at once and never fails; written in groups soon after. */
export interface ShadowLog {
  tried(key: ShadowKey, call: ShadowCall): void;
}

/** How calls fared under a shadow. A call is counted within two seconds; kept for 31 days. */
export interface ShadowBook {
  /** Those with most calls first. */
  counts(key: ShadowKey): Promise<readonly ShadowCount[]>;
  /** The latest first, `shadowRules.callsKept` at most. */
  latest(key: ShadowKey): Promise<readonly ShadowCall[]>;
}
