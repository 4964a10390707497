import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { SigningMaterial, SigningProvider } from '../../../domain/credentials/ports';
import { hmacKeyBytes } from '../../../domain/credentials/signing/signature-secret';
import { hashNames, keyedBy } from './signing-key';

function requireBytes(bytes: Uint8Array | undefined): Uint8Array {
  if (!bytes || bytes.length === 0) throw new Error('No bytes of a key');
  return bytes;
}

const keyOf = keyedBy(({ secret }) => createSecretKey(requireBytes(hmacKeyBytes(secret.reveal()))));

const macOf = ({ text, hash, key }: SigningMaterial): Buffer => createHmac(hashNames[hash], keyOf(key)).update(text).digest();

/** HMAC (RFC 2104) with the shared secret. */
export class HmacProvider implements SigningProvider {
  async sign(material: SigningMaterial): Promise<Uint8Array> {
    return macOf(material);
  }

  async verify(material: SigningMaterial, signature: Uint8Array): Promise<boolean> {
    const expected = macOf(material);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  }
}
