import type { Secret } from '../shared/secret';

/** The credentials that a partner record holds (contract/authentication#rotation). */
export type CredentialKind = 'secret_key' | 'hmac_secret' | 'partner_public_key' | 'platform_key' | 'host_app_secret_key';

/** Which of the values of one kind: in use, still accepted, or waiting. */
export type CredentialSlot = 'current' | 'previous' | 'next';

/** One value of a credential. For key pairs the secret is the private key (PKCS #8 PEM) and `publicKey` its SPKI PEM. */
export interface CredentialValue {
  readonly secret: Secret;
  /** The stored secret does not open: `secret` is empty. Only where partners are listed. */
  readonly isUnreadable?: true;
  /** Public text that tells two values apart without telling either: `sha256:` and 16 hex digits. */
  readonly fingerprint: string;
  readonly publicKey?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Accepted until then (milliseconds since the epoch); absent: until replaced. */
  readonly validUntil?: number;
  /** Milliseconds since the epoch; written now and then, read by people only. */
  readonly lastUsedAt?: number;
  /** When its owner proved to hold it (milliseconds since the epoch); absent: never. */
  readonly provenAt?: number;
}

/** The values of one kind. */
export type CredentialSlots = Readonly<Partial<Record<CredentialSlot, CredentialValue>>>;

/** All credentials of one partner. */
export type Credentials = Readonly<Partial<Record<CredentialKind, CredentialSlots>>>;

/** Whether a value that was replaced is still accepted at `now`. */
export const isInGrace = ({ validUntil }: CredentialValue, now: number): boolean => validUntil === undefined || validUntil > now;

/** Whether it is accepted at `now`: the current value and the next one are, the previous one in its grace time. */
export const isAccepted = (slots: CredentialSlots | undefined, value: CredentialValue, now: number): boolean =>
  value === slots?.current || value === slots?.next || (value === slots?.previous && isInGrace(value, now));

/** The values accepted at `now`, the likeliest first. */
export function acceptedValues(slots: CredentialSlots | undefined, now: number): readonly CredentialValue[] {
  const { current, next, previous } = slots ?? {};
  return [current, next, previous].filter((value) => value !== undefined).filter((value) => isAccepted(slots, value, now));
}
