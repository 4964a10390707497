import { constants, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { SigningMaterial, SigningProvider } from '../../../domain/credentials/ports';
import { hashNames, keyedBy } from './signing-key';

const padding = constants.RSA_PKCS1_PADDING;

/** Checked when stored, and again here, because a row may come from elsewhere (contract/signatures#keys-and-secrets). */
function requireRsa(key: KeyObject): KeyObject {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < 2048 || bits > 8192) throw new Error('Not an RSA key of 2048 to 8192 bits');
  return key;
}

const privateKeyOf = keyedBy(({ secret }) => requireRsa(createPrivateKey(secret.reveal())));
const publicKeyOf = keyedBy(({ publicKey = '' }) => requireRsa(createPublicKey(publicKey)));

/**
 * RSASSA-PKCS1-v1_5 (RFC 8017 §8.2). A signature with 2048 bits takes 0.7 ms, so it is made in OpenSSL's threads, not in the event loop.
 */
export class Rsa2Provider implements SigningProvider {
  async sign({ text, hash, key: value }: SigningMaterial): Promise<Uint8Array> {
    const key = privateKeyOf(value);
    return new Promise((resolve, reject) => {
      sign(hashNames[hash], text, { key, padding }, (error, signature) => {
        if (error) reject(error);
        else resolve(signature);
      });
    });
  }

  async verify({ text, hash, key: value }: SigningMaterial, signature: Uint8Array): Promise<boolean> {
    return verify(hashNames[hash], text, { key: publicKeyOf(value), padding }, signature);
  }
}
