import { createPrivateKey, createPublicKey, sign, verify, type KeyObject, type VerifyKeyObjectInput } from 'node:crypto';
import type { SigningMaterial, SigningProvider } from '../../../domain/credentials/ports';
import { hashNames, keyedBy } from './signing-key';

/** The size of r and of s in bytes, by OpenSSL curve name. */
const scalarBytes: Readonly<Record<string, number>> = { prime256v1: 32, secp384r1: 48, secp521r1: 66, secp256k1: 32 };

/** The only curve fast enough for the main thread: 0.1 ms; the others take 0.5 to 2 ms. */
const quickCurve = 'prime256v1';

const curveOf = (key: KeyObject): string => key.asymmetricKeyDetails?.namedCurve ?? '';

/** Checked when stored, and again here, because a row may come from elsewhere (contract/signatures#keys-and-secrets). */
function requireCurve(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ec' || !(curveOf(key) in scalarBytes)) throw new Error('Not an EC key on a curve of the list');
  return key;
}

const privateKeyOf = keyedBy(({ secret }) => requireCurve(createPrivateKey(secret.reveal())));
const publicKeyOf = keyedBy(({ publicKey = '' }) => requireCurve(createPublicKey(publicKey)));

/** ECDSA (FIPS 186-5 §6): signs in DER; verifies DER and r‖s of the curve's length. */
export class EcdsaProvider implements SigningProvider {
  async sign({ text, hash, key: value }: SigningMaterial): Promise<Uint8Array> {
    return sign(hashNames[hash], text, { key: privateKeyOf(value), dsaEncoding: 'der' });
  }

  async verify({ text, hash, key: value }: SigningMaterial, signature: Uint8Array): Promise<boolean> {
    const key = publicKeyOf(value);
    const check = (dsaEncoding: 'der' | 'ieee-p1363') => verifies({ text, hash, key: { key, dsaEncoding }, signature });
    const isRaw = signature.length === 2 * (scalarBytes[curveOf(key)] ?? 0);
    // A DER signature with small numbers can be as long as r‖s.
    if (isRaw && (await check('ieee-p1363'))) return true;
    return signature[0] === 0x30 && check('der');
  }
}

interface EcdsaCheck extends Pick<SigningMaterial, 'text' | 'hash'> {
  readonly key: VerifyKeyObjectInput;
  readonly signature: Uint8Array;
}

function verifies({ text, hash, key, signature }: EcdsaCheck): boolean | Promise<boolean> {
  if (curveOf(key.key) === quickCurve) return verify(hashNames[hash], text, key, signature);
  return new Promise((resolve, reject) => {
    verify(hashNames[hash], text, key, signature, (error, isRight) => {
      if (error) reject(error);
      else resolve(isRight);
    });
  });
}
