import { createHash, createHmac, createPublicKey, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { SignatureLab, SignatureReading, SuspectKey } from '../../../domain/credentials/explain/ports';
import type { SignatureHash } from '../../../domain/credentials/signing/signature-settings';
import { ecdsaReadings } from './ecdsa-readings';
import { rsaReadings } from './rsa-readings';
import { hashNames } from './signing-key';

const sizes: Readonly<Record<number, SignatureHash>> = {
  16: 'MD5',
  20: 'SHA-1',
  28: 'SHA-224',
  32: 'SHA-256',
  48: 'SHA-384',
  64: 'SHA-512',
};

/** Analyses signatures with node:crypto. It answers only yes or no, so no computed value leaves it. */
export class NodeSignatureLab implements SignatureLab {
  readings(suspect: SuspectKey, signature: Uint8Array): readonly SignatureReading[] {
    if (suspect.algorithm === 'HMAC') return hmacReadings(suspect.key, signature);
    const key = keyIn(suspect.publicKey);
    if (key === undefined) return [];
    const bytes = Buffer.from(signature);
    if (suspect.algorithm === 'RSA2') return key.asymmetricKeyType === 'rsa' ? rsaReadings(key, bytes) : [];
    return key.asymmetricKeyType === 'ec' ? ecdsaReadings(key, bytes) : [];
  }

  digest(hash: SignatureHash, bytes: Uint8Array): Uint8Array {
    return createHash(hashNames[hash]).update(bytes).digest();
  }
}

/** The length of a MAC determines its hash. */
function hmacReadings(keyBytes: Uint8Array, signature: Uint8Array): readonly SignatureReading[] {
  const hash = sizes[signature.length];
  if (hash === undefined) return [];
  const key = createSecretKey(keyBytes);
  const name = hashNames[hash];
  return [{ hash, fits: (text) => timingSafeEqual(createHmac(name, key).update(text).digest(), signature) }];
}

function keyIn(publicKey: string): KeyObject | undefined {
  try {
    return createPublicKey(publicKey);
  } catch {
    return undefined;
  }
}
