import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { SecretCipher } from '../../../domain/credentials/ports';

/** One key of the ring. `id` is written into every value sealed under it. */
export interface EncryptionKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

const format = 1;
const keyLength = 32;
const ivLength = 12;
const tagLength = 16;

/** The key ring is unusable: empty, ambiguous, or with an invalid key. The message contains no key. */
export class UnusableKeyRing extends Error {}

/**
 * A sealed value cannot be decrypted: unknown format or key, another context, or altered data. The message contains nothing of the value.
 */
export class SealBroken extends Error {}

/** The prefix of every value sealed under the key. */
export const sealHeader = (keyId: string): Uint8Array => Buffer.concat([Buffer.from([format, keyId.length]), Buffer.from(keyId, 'latin1')]);

/** The key id of a sealed value, read from its prefix without decryption. `undefined` when it is no sealed value. */
export function keyIdOf(sealed: Uint8Array): string | undefined {
  const [first, length = 0] = sealed;
  return first === format && sealed.length >= 2 + length ? Buffer.from(sealed).toString('latin1', 2, 2 + length) : undefined;
}

/** IVs taken from random bytes that are generated for many at once. None is used twice. */
class RandomIvs {
  private bytes = Buffer.alloc(0);
  private at = 0;

  next(): Buffer {
    if (this.at === this.bytes.length) [this.bytes, this.at] = [randomBytes(256 * ivLength), 0];
    return this.bytes.subarray(this.at, (this.at += ivLength));
  }
}

/**
 * AES-256-GCM (NIST SP 800-38D) with the context as additional authenticated data. Format of a value: format byte, length of the key id,
 * key id, IV of 12 random bytes, ciphertext, tag of 16 bytes. With random IVs, one key may seal at most 2^32 values: rotate before.
 */
export class AesSecretCipher implements SecretCipher {
  private readonly keys = new Map<string, KeyObject>();
  private readonly ivs = new RandomIvs();
  private readonly sealing: { readonly header: Buffer; readonly key: KeyObject };

  /** The first key seals, all keys decrypt. Throws UnusableKeyRing. */
  constructor(notify: readonly EncryptionKey[]) {
    for (const { id, key } of notify) this.add(id, Buffer.from(key));
    const [first] = this.keys;
    if (!first) throw new UnusableKeyRing('No encryption key');
    const [id, key] = first;
    this.sealing = { header: Buffer.from(sealHeader(id)), key };
  }

  seal(plain: Uint8Array, context: string): Uint8Array {
    const iv = this.ivs.next();
    const cipher = createCipheriv('aes-256-gcm', this.sealing.key, iv, { authTagLength: tagLength });
    cipher.setAAD(Buffer.from(context, 'utf8'));
    const text = cipher.update(plain);
    // GCM returns no bytes at the end, but this call computes the tag.
    cipher.final();
    return Buffer.concat([this.sealing.header, iv, text, cipher.getAuthTag()]);
  }

  open(sealed: Uint8Array, context: string): Uint8Array {
    const value = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const ivAt = 2 + (value[1] ?? 0);
    if (value[0] !== format || value.length < ivAt + ivLength + tagLength) throw new SealBroken('Not a sealed value');
    const key = this.keys.get(value.toString('latin1', 2, ivAt));
    if (!key) throw new SealBroken('Sealed under a key that is not in the ring');
    const decipher = createDecipheriv('aes-256-gcm', key, value.subarray(ivAt, ivAt + ivLength), { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(context, 'utf8'));
    decipher.setAuthTag(value.subarray(-tagLength));
    const start = decipher.update(value.subarray(ivAt + ivLength, -tagLength));
    try {
      return Buffer.concat([start, decipher.final()]);
    } catch {
      throw new SealBroken('The sealed value belongs to another context, or was changed');
    }
  }

  private add(id: string, key: Buffer): void {
    if (!/^[A-Za-z0-9._-]{1,64}$/.test(id))
      throw new UnusableKeyRing('A key id is 1 to 64 characters of A-Z, a-z, 0-9, dot, underscore, dash');
    if (this.keys.has(id)) throw new UnusableKeyRing(`Two encryption keys are named ${id}`);
    if (key.length !== keyLength) throw new UnusableKeyRing(`Encryption key ${id} has ${key.length} bytes instead of ${keyLength}`);
    if (key.every((byte) => byte === 0)) throw new UnusableKeyRing(`Encryption key ${id} is all zero`);
    // A KeyObject is parsed once; a byte key would be parsed for each value.
    this.keys.set(id, createSecretKey(key));
  }
}
