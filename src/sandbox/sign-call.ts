import { createHmac } from 'node:crypto';
import type { AgreedSecret } from './agreed-signature';
import { defaultTemplate, signedText } from './signed-text';

/** A call to the service, as it will be sent. */
export interface UnsignedCall {
  readonly method: string;
  /** The service's public base URL with path and query. */
  readonly url: string;
  readonly body: string;
  /** When it is made, in milliseconds since the epoch. */
  readonly at: number;
}

/** The headers that prove a partner's call to the service, written from the contract and with nothing of the service. */
export function signatureHeaders({ key, apiClientId }: AgreedSecret, { method, url, body, at }: UnsignedCall): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const values = { request_method: method, url, client_id: apiClientId, timestamp };
  const text = signedText(defaultTemplate, values, Buffer.from(body));
  const signature = createHmac('sha256', key).update(text).digest('base64');
  return { 'X-Client-Id': apiClientId, 'X-Timestamp': timestamp, 'X-Signature': signature };
}
