import type { CredentialValue } from '../credential';
import type { KeyRefusal } from './key-rules';
import type { PublicKeyReader } from '../ports';
import { hmacKeyBytes } from './signature-secret';

/** Input of the rules that depend on the partner. */
export interface HmacSecretFit {
  /** Whether the owner accepts a weak secret. */
  readonly acknowledgeWeak: boolean;
  /** Secret keys of the same partner. */
  readonly secretKeys: readonly CredentialValue[];
}

/** Minimum length of an HMAC secret that is not weak, in bytes (contract/signatures#keys-and-secrets). */
const enough = 32;

/** Why an HMAC secret cannot be stored (contract/signatures#keys-and-secrets); `undefined` when it can, or cannot be decrypted. */
export function hmacSecretProblem(
  value: CredentialValue,
  keys: PublicKeyReader,
  { acknowledgeWeak, ...fit }: HmacSecretFit,
): KeyRefusal | undefined {
  if (value.isUnreadable) return undefined;
  const text = value.secret.reveal();
  if (text === '') return { cause: 'hmac-secret-empty', rule: 'must not be empty' };
  // Checked before the blanks: a key that ends with a line break should be reported as a key.
  if (isKey(text, keys)) return { cause: 'hmac-secret-is-key', rule: 'must be a shared secret, not a key' };
  if (text !== text.trim()) {
    return { cause: 'hmac-secret-blank', rule: 'has a blank or a line break at one of its ends: paste it without' };
  }
  const bytes = hmacKeyBytes(text);
  if (!bytes) return { cause: 'hmac-secret-encoding', rule: 'begins with whsec_ and must go on in base64' };
  if (bytes.every((byte) => byte === bytes[0]))
    return { cause: 'hmac-secret-repeats', rule: 'is one byte, repeated: everybody can guess it' };
  return acknowledgeWeak ? undefined : weakness(value, bytes, fit.secretKeys);
}

/** The weakness of an HMAC secret that is stored nevertheless; `undefined` when there is none, or it cannot be decrypted. */
export function hmacSecretWeakness(value: CredentialValue, secretKeys: readonly CredentialValue[]): string | undefined {
  if (value.isUnreadable) return undefined;
  const bytes = hmacKeyBytes(value.secret.reveal());
  return bytes && weaknessOf(value, bytes, secretKeys)?.rule;
}

function weakness(value: CredentialValue, bytes: Uint8Array, secretKeys: readonly CredentialValue[]): KeyRefusal | undefined {
  const found = weaknessOf(value, bytes, secretKeys);
  return found && { ...found, rule: `${found.rule}, which needs acknowledge_weak` };
}

function weaknessOf({ fingerprint }: CredentialValue, bytes: Uint8Array, secretKeys: readonly CredentialValue[]): KeyRefusal | undefined {
  if (secretKeys.some((key) => key.fingerprint === fingerprint)) {
    return { cause: 'hmac-secret-is-secret-key', rule: 'is the Secret key too, which travels in Basic headers' };
  }
  return bytes.length < enough ? { cause: 'hmac-secret-short', rule: 'is shorter than 32 bytes' } : undefined;
}

/** Detects keys: a public key is known to everybody, and a private key must not be sent to the service. */
const isKey = (text: string, keys: PublicKeyReader): boolean => text.includes('-----BEGIN') || keys.read(text).found !== 'nothing';
