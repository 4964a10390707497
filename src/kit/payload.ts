import { createCipheriv, randomBytes } from 'node:crypto';
import { AesPayloadCipher } from '../adapters/out/signing/payload-cipher';
import { Secret } from '../domain/shared/secret';
import { CallRefused } from './call-refused';

/** The host app's id and key for payloads. */
export interface PayloadKey {
  /** The host app's Secret key as issued: 32 bytes in URL-safe base64. */
  readonly secretKey: string;
  readonly clientId: string;
  readonly appId: string;
}

/** Options for making a payload. */
export interface SealOptions {
  /** AES-256-GCM, which detects changes, by default. `cbc` is for a platform that accepts only the older AES-CBC. */
  readonly cipher?: 'gcm' | 'cbc';
}

const keyBytes = 32;
const ivBytes = { gcm: 12, cbc: 16 } as const;

/**
 * Makes the `payload` of `partner/login`: user data encrypted under the Secret key, for transport through a page that must not read it. Set
 * `exp` (Unix seconds), so that it expires. Throws TypeError for an invalid key.
 */
export function sealPayload(claims: object, key: PayloadKey, { cipher = 'gcm' }: SealOptions = {}): string {
  const secret = keyOf(key);
  const plain = JSON.stringify(claims);
  const iv = randomBytes(ivBytes[cipher]);
  if (cipher === 'cbc') {
    const aes = createCipheriv('aes-256-cbc', secret, iv);
    return Buffer.concat([iv, aes.update(plain, 'utf8'), aes.final()]).toString('base64');
  }
  const aes = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(`${key.clientId}.${key.appId}`, 'utf8'));
  return `v2.${Buffer.concat([iv, aes.update(plain, 'utf8'), aes.final(), aes.getAuthTag()]).toString('base64url')}`;
}

/** Decrypts a payload. It may contain `exp`, which is not checked here. Throws CallRefused for any problem of the payload. */
export function openPayload(payload: string, key: PayloadKey): unknown {
  keyOf(key);
  const { plain, problem } = cipherOfService.open(
    { text: payload, clientId: key.clientId, appId: key.appId, gcmOnly: false },
    new Secret(key.secretKey),
  );
  try {
    if (problem === undefined) return JSON.parse(Buffer.from(plain).toString('utf8'));
  } catch {
    // The same error for every problem, so that it reveals nothing about the content.
  }
  throw new CallRefused('INVALID_USER_DATA', 'The payload cannot be opened');
}

const cipherOfService = new AesPayloadCipher();

function keyOf({ secretKey }: PayloadKey): Buffer {
  const key = Buffer.from(secretKey, 'base64url');
  if (key.length !== keyBytes) throw new TypeError('The Secret key must be 32 bytes in URL-safe base64');
  return key;
}
