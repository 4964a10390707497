import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/**
 * A key as JWK (RFC 7517), read from its text. In Node 20 a key that was just made must not be exported as JWK itself: that holds the key's
 * lock while it allocates, and where it has the collector end the job that made the key, that waits for the same lock, for ever.
 */
export function jwkOf(key: KeyObject): JsonWebKey {
  const read =
    key.type === 'private'
      ? createPrivateKey(key.export({ format: 'pem', type: 'pkcs8' }))
      : createPublicKey(key.export({ format: 'pem', type: 'spki' }));
  return read.export({ format: 'jwk' });
}
