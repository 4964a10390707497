import { createHmac } from 'node:crypto';
import type { AgreedSecret } from './agreed-signature';
import { defaultTemplate, signedText } from './signed-text';

/** A call to the service before it is sent. */
export interface UnsignedCall {
  readonly method: string;
  /** The service's public base URL with path and query. */
  readonly url: string;
  readonly body: string;
  /** Time of the call in milliseconds since the epoch. */
  readonly at: number;
}

/** Signs a partner's call to the service. It is implemented from the contract and shares no code with the service. */
export function signatureHeaders({ key, apiClientId }: AgreedSecret, { method, url, body, at }: UnsignedCall): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const values = { request_method: method, url, client_id: apiClientId, timestamp };
  const text = signedText(defaultTemplate, values, Buffer.from(body));
  const signature = createHmac('sha256', key).update(text).digest('base64');
  return { 'X-Client-Id': apiClientId, 'X-Timestamp': timestamp, 'X-Signature': signature };
}
