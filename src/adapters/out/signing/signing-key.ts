import type { CredentialValue } from '../../../domain/credentials/credential';
import { UnusableKey } from '../../../domain/credentials/ports';
import type { SignatureHash } from '../../../domain/credentials/signing/signature-settings';

/** OpenSSL's names of the hashes. */
export const hashNames = {
  'SHA-224': 'sha224',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
  'SHA-1': 'sha1',
  MD5: 'md5',
} as const satisfies Readonly<Record<SignatureHash, string>>;

/**
 * Caches the key object of each credential, because reading a key costs more than signing with it. Whatever `make` throws, callers get
 * UnusableKey each time.
 */
export function keyedBy<Key extends object>(make: (value: CredentialValue) => Key): (value: CredentialValue) => Key {
  const made = new WeakMap<CredentialValue, Key>();
  return (value) => {
    const known = made.get(value);
    if (known) return known;
    const key = attempt(() => make(value));
    made.set(value, key);
    return key;
  };
}

function attempt<Key>(make: () => Key): Key {
  try {
    return make();
  } catch {
    // A parser's message may quote the key.
    throw new UnusableKey('The key cannot be used with this algorithm');
  }
}
