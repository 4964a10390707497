import type { Exchange } from '../exchanges/exchange';
import { callerOf } from './lanes';
import { marksOf } from './timeline';

/** Where each recorded call comes in (routes.ts); a test holds the two together. */
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
 * The call as a command to be filled in: ids as they were, everything secret or personal as a placeholder. `undefined`: nobody
 * called it. `baseUrl`: the public one, without a slash at its end.
 */
export function curlOf(exchange: Exchange, baseUrl: string): string | undefined {
  const { call, clientId = 'CLIENT_ID', appId = 'APP_ID', requestId } = exchange;
  const path = callPaths[call];
  if (path === undefined) return undefined;
  const marks = marksOf(exchange);
  const ofHost = (exchange.refused?.of ?? callerOf(call)) === 'hostapp';
  const basic = marks.basic === 'not-asked' ? [] : [`-u '${ofHost ? clientId : appId}:YOUR_SECRET_KEY'`];
  const signed = marks.signature === 'not-asked' ? [] : [`-H 'X-Timestamp: UNIX_TIME'`, `-H 'X-Signature: YOUR_SIGNATURE'`];
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

/** What else a call must bring, as placeholders. */
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
