import type { Exchange } from '../exchanges/exchange';
import { callerOf } from './lanes';
import { marksOf } from './timeline';

/** Path of each recorded call (routes.ts); a test compares the two. */
export const callPaths: Readonly<Record<string, string>> = {
  connect: 'connect',
  authorize: 'authorize',
  'partner/login': 'partner/login',
  save_consent: 'accounts/consent/save_consent',
  revoke: 'accounts/consent/revoke',
  create_order_payment: 'orders/create-order-payment',
  get_payment_status: 'orders/get-payment-status',
  complete_order: 'orders/complete-order',
  hostapp_event: 'events/hostapp',
  miniapp_event: 'events/miniapp',
  miniapp_transactions: 'analytics/miniapp-transactions',
};

/**
 * The call as a curl command to complete: with its ids, and placeholders for everything secret or personal. `undefined` for calls without
 * a caller. `baseUrl` is the public one, without a trailing slash.
 */
export function curlOf(exchange: Exchange, baseUrl: string): string | undefined {
  const { call, clientId = 'CLIENT_ID', appId = 'APP_ID', requestId } = exchange;
  const path = callPaths[call];
  if (path === undefined) return undefined;
  const marks = marksOf(exchange);
  const ofHost = (exchange.refused?.of ?? callerOf(call)) === 'hostapp';
  const basic = marks.basic === 'not-checked' ? [] : [`-u '${ofHost ? clientId : appId}:YOUR_SECRET_KEY'`];
  const signed = marks.signature === 'not-checked' ? [] : [`-H 'X-Timestamp: UNIX_TIME'`, `-H 'X-Signature: YOUR_SIGNATURE'`];
  const inHeaders = call === 'miniapp_transactions';
  const ids = inHeaders ? [`-H 'X-Hostapp-Client-Id: ${clientId}'`, `-H 'X-Miniapp-App-Id: ${appId}'`] : [];
  const body = inHeaders ? '[YOUR_TRANSACTIONS]' : `{"client_id":"${clientId}","app_id":"${appId}",${rest[call] ?? '"…":"…"'}}`;
  const lines = [
    `curl -X POST '${baseUrl}/api/v1/${path}/'`,
    ...basic,
    `-H 'Content-Type: application/json'`,
    `-H 'X-Request-Id: ${requestId}-again'`,
    ...signed,
    ...ids,
    `--data '${body}'`,
  ];
  return lines.join(' \\\n  ');
}

/** Further body members of each call, with placeholders. */
const rest: Readonly<Record<string, string>> = {
  connect: '"user":{"reference":"USER_REFERENCE"}',
  authorize: '"auth_code":"AUTH_CODE"',
  'partner/login': '"payload":"ENCRYPTED_PAYLOAD"',
  save_consent: '"reference":"USER_REFERENCE"',
  revoke: '"reference":"USER_REFERENCE"',
  create_order_payment: '"order":{"currency":"CURRENCY","amount":"AMOUNT"}',
  get_payment_status: '"order_payment_id":"ORDER_PAYMENT_ID"',
  complete_order: '"order_payment_id":"ORDER_PAYMENT_ID","payment_status":"paid"',
  hostapp_event: '"event_type":"EVENT_TYPE","payload":{}',
  miniapp_event: '"event_type":"EVENT_TYPE","payload":{}',
};
