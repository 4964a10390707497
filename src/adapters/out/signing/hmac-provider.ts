import { timingSafeEqual } from 'node:crypto';
import type { CredentialValue } from '../../../domain/credentials/credential';
import type { SigningMaterial, SigningProvider } from '../../../domain/credentials/ports';
import type { SignatureHash } from '../../../domain/credentials/signature-settings';
import { hmacKeyBytes } from '../../../domain/credentials/signature-secret';
import { Hmac } from '../../digests/hmac';
import { hashNames, keyedBy } from './signing-key';

function requireBytes(bytes: Uint8Array | undefined): Uint8Array {
  if (!bytes || bytes.length === 0) throw new Error('No bytes of a key');
  return bytes;
}

const makersOf = (hash: SignatureHash) =>
  keyedBy(({ secret }: CredentialValue) => new Hmac(hashNames[hash], requireBytes(hmacKeyBytes(secret.reveal()))));

/** By hash: settings change while the secret stays. */
const makers = Object.fromEntries((Object.keys(hashNames) as SignatureHash[]).map((hash) => [hash, makersOf(hash)])) as Readonly<
  Record<SignatureHash, ReturnType<typeof makersOf>>
>;

const macOf = ({ text, hash, key }: SigningMaterial): Buffer => makers[hash](key).of(text);

/** HMAC (RFC 2104) with the secret that both sides hold. */
export class HmacProvider implements SigningProvider {
  async sign(material: SigningMaterial): Promise<Uint8Array> {
    return macOf(material);
  }

  async verify(material: SigningMaterial, signature: Uint8Array): Promise<boolean> {
    const expected = macOf(material);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  }
}
