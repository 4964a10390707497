import { createCipheriv, randomBytes } from 'node:crypto';

/**
 * The payload of `partner/login` as a host app's back end makes it: base64 of a random IV and the AES-256-CBC ciphertext under the decoded
 * Secret key (contract/sign-on#partner-login).
 */
export function sealPayload(claims: object, secretKey: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(secretKey, 'base64url'), iv);
  return Buffer.concat([iv, cipher.update(JSON.stringify(claims), 'utf8'), cipher.final()]).toString('base64');
}
