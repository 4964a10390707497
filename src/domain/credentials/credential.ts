import { Secret } from '../shared/secret';

/** The kinds of credentials in a partner record (contract/authentication#rotation). */
export type CredentialKind = 'secret_key' | 'hmac_secret' | 'partner_public_key' | 'platform_key' | 'host_app_secret_key';

/** The slots of a kind: `current`, in use; `previous`, replaced but still accepted; `next`, accepted before its promotion. */
export type CredentialSlot = 'current' | 'previous' | 'next';

/** One value of a credential. For key pairs the secret is the private key (PKCS #8 PEM) and `publicKey` its SPKI PEM. */
export interface CredentialValue {
  readonly secret: Secret;
  /** Set when the stored secret cannot be decrypted: `secret.reveal` throws. */
  readonly isUnreadable?: true;
  /** A public identifier of the value that does not reveal it: `sha256:` and 16 hex digits. */
  readonly fingerprint: string;
  readonly publicKey?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Accepted until then (milliseconds since the epoch). Absent: until replaced. */
  readonly validUntil?: number;
  /** Milliseconds since the epoch; updated at intervals, and only informative. */
  readonly lastUsedAt?: number;
  /** When its owner proved that it holds it (milliseconds since the epoch). Absent: never. */
  readonly provenAt?: number;
}

/** The values of one kind by slot. */
export type CredentialSlots = Readonly<Partial<Record<CredentialSlot, CredentialValue>>>;

/** All credentials of one partner. */
export type Credentials = Readonly<Partial<Record<CredentialKind, CredentialSlots>>>;

/** Whether a replaced value is still accepted at `now`. */
export const isInGrace = ({ validUntil }: CredentialValue, now: number): boolean => validUntil === undefined || validUntil > now;

/** Whether a value is accepted at `now`: current and next always, previous within its grace period. */
export const isAccepted = (slots: CredentialSlots | undefined, value: CredentialValue, now: number): boolean =>
  value === slots?.current || value === slots?.next || (value === slots?.previous && isInGrace(value, now));

/** The values accepted at `now` that can be compared with what a caller sent, the likeliest first. */
export const acceptedValues = (slots: CredentialSlots | undefined, now: number): readonly CredentialValue[] =>
  allAccepted(slots, now).filter((value) => !isLost(value));

/**
 * Throws when an accepted value cannot be decrypted. To be called before a caller is refused, after the failure was counted: the value
 * that it sent may be the right one.
 */
export function requireComparable(slots: CredentialSlots | undefined, now: number): void {
  allAccepted(slots, now).find(isLost)?.secret.reveal();
}

function allAccepted(slots: CredentialSlots | undefined, now: number): readonly CredentialValue[] {
  const { current, next, previous } = slots ?? {};
  return [current, next, previous].filter((value) => value !== undefined).filter((value) => isAccepted(slots, value, now));
}

/** The credentials without the values that cannot be decrypted; of a key pair its public key is left. */
export const readableOf = (credentials: Credentials): Credentials =>
  Object.fromEntries(Object.entries(credentials).map(([kind, slots]) => [kind, readableSlots(slots)]));

const readableSlots = (slots: CredentialSlots): CredentialSlots =>
  Object.fromEntries(
    Object.entries(slots)
      .filter(([, value]) => !isLost(value))
      .map(([slot, value]) => [slot, value.isUnreadable ? { ...value, secret: new Secret('') } : value]),
  );

/** Whether nothing is left to check a caller by. A public key is stored unsealed. */
const isLost = ({ isUnreadable, publicKey }: CredentialValue): boolean => isUnreadable === true && publicKey === undefined;
