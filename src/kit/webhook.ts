import { createHmac } from 'node:crypto';
import { hmacKeyBytes } from '../domain/credentials/signing/signature-secret';
import { isSame } from './basic';
import { CallRefused } from './call-refused';
import { bytesOf } from './sign';
import { headerIn, type ReceivedCall, type VerifyOptions } from './verify';

/** A delivery with a valid signature. */
export interface Webhook {
  /** The same on each attempt: answer a delivery that you have processed before with 200, and do not process it again. */
  readonly id: string;
  /** Time of this attempt in Unix seconds. */
  readonly timestamp: number;
}

/**
 * Checks the Standard Webhooks signature of deliveries, which `webhook_signature` enables. `secret`: the HMAC secret, mostly `whsec_…`; of
 * several, one must match. Throws CallRefused (401).
 */
export function verifyWebhook(
  { headers, body }: Pick<ReceivedCall, 'headers' | 'body'>,
  secret: string | readonly string[],
  { windowS = 300, now = Date.now() }: Pick<VerifyOptions, 'windowS' | 'now'> = {},
): Webhook {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerIn(headers, name);
    if (!value) throw new CallRefused('MISSING_HEADER', `Missing required header: ${name}`, { status: 401, reason: name });
    return value;
  }) as [string, string, string]; // as many as there are names
  if (!/^[1-9][0-9]{0,11}$/.test(timestamp))
    throw refused('SIGNATURE_VALIDATION_ERROR', 'The timestamp is not a plain number', 'timestamp');
  if (Math.abs(Number(timestamp) * 1000 - now) > windowS * 1000)
    throw refused('INVALID_SIGNATURE', 'The timestamp is too far from the clock', 'timestamp');
  const text = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), bytesOf(body)]);
  const expected = [secret].flat().map((one) => `v1,${createHmac('sha256', keyOf(one)).update(text).digest('base64')}`);
  const fits = signatures.split(' ').some((sent) => expected.some((right) => isSame(sent, right)));
  if (!fits) throw refused('INVALID_SIGNATURE', 'The signature does not fit the body and the secret', 'signature');
  return { id, timestamp: Number(timestamp) };
}

const refused = (code: string, message: string, reason: string): CallRefused => new CallRefused(code, message, { status: 401, reason });

function keyOf(secret: string): Uint8Array {
  const bytes = hmacKeyBytes(secret);
  if (!bytes || bytes.length === 0) throw new TypeError('The webhook secret is empty, or not base64 after whsec_');
  return bytes;
}
