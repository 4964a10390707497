import type { CredentialValue } from '../../../domain/credentials/credential';
import { UnusableKey } from '../../../domain/credentials/ports';
import type { SignatureHash } from '../../../domain/credentials/signature-settings';

/** The names of OpenSSL. */
export const hashNames = {
  'SHA-224': 'sha224',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
  'SHA-1': 'sha1',
  MD5: 'md5',
} as const satisfies Readonly<Record<SignatureHash, string>>;

/**
 * Keys as they are used, each made once for its credential: reading a key costs more than signing with it. `make` may throw whatever it
 * likes; callers get UnusableKey, each time.
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
    // What a parser says of a key may quote it.
    throw new UnusableKey('The key cannot be used with this algorithm');
  }
}
