import { createCipheriv, randomBytes } from 'node:crypto';
import { AesPayloadCipher } from '../adapters/out/signing/payload-cipher';
import { Secret } from '../domain/shared/secret';
import { CallRefused } from './call-refused';

/** Whose payload it is. */
export interface PayloadKey {
  /** The host app's Secret key, as it was given: 32 bytes in URL-safe base64. */
  readonly secretKey: string;
  readonly clientId: string;
  readonly appId: string;
}

/** How a payload is made. */
export interface SealOptions {
  /** AES-256-GCM, which cannot be altered, unless the platform takes only the older CBC. */
  readonly cipher?: 'gcm' | 'cbc';
}

const keyBytes = 32;
const ivBytes = { gcm: 12, cbc: 16 } as const;

/**
 * The `payload` of `partner/login`: user data under the Secret key, to be carried by a page that must not read it. Set `exp`
 * (Unix seconds), so that it stops working by itself. Throws TypeError where the key is none.
 */
export function sealPayload(facts: object, key: PayloadKey, { cipher = 'gcm' }: SealOptions = {}): string {
  const secret = keyOf(key);
  const plain = JSON.stringify(facts);
  const iv = randomBytes(ivBytes[cipher]);
  if (cipher === 'cbc') {
    const aes = createCipheriv('aes-256-cbc', secret, iv);
    return Buffer.concat([iv, aes.update(plain, 'utf8'), aes.final()]).toString('base64');
  }
  const aes = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(`${key.clientId}.${key.appId}`, 'utf8'));
  return `v2.${Buffer.concat([iv, aes.update(plain, 'utf8'), aes.final(), aes.getAuthTag()]).toString('base64url')}`;
}

/** What a payload holds, `exp` included, which is not judged here. Throws CallRefused, whatever is wrong with it. */
export function openPayload(payload: string, key: PayloadKey): unknown {
  keyOf(key);
  const { plain, problem } = cipherOfService.open(
    { text: payload, clientId: key.clientId, appId: key.appId, gcmOnly: false },
    new Secret(key.secretKey),
  );
  try {
    if (problem === undefined) return JSON.parse(Buffer.from(plain).toString('utf8'));
  } catch {
    // The same as any other: the error reveals nothing of its content.
  }
  throw new CallRefused('INVALID_USER_DATA', 'The payload cannot be opened');
}

const cipherOfService = new AesPayloadCipher();

function keyOf({ secretKey }: PayloadKey): Buffer {
  const key = Buffer.from(secretKey, 'base64url');
  if (key.length !== keyBytes) throw new TypeError('The Secret key must be 32 bytes in URL-safe base64');
  return key;
}
