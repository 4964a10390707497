import type { Glossary } from '../glossary';
import { apiGlossary } from '../api/api-glossary';

export const partnersIntroduction = `The endpoints that host apps and miniapps implement and the service calls. Their URLs are settings; each entry is named by its side and its setting. Bodies are JSON in UTF-8 (\`Accept-Encoding: identity\`). Answers are JSON of at most 1 MiB, without redirects; connecting may take 3 seconds, the whole call as long as the caller's still may.

**Who calls.** \`Authorization\` is, in this order: the user's access token where the call goes with one, a client access token where the host app issues such, else Basic while signing is off for the receiver. Where signing is on, the signature headers go with every call.

**Refusals** are an \`error_code\` in the body, whatever the status. Of answers without one, 2xx is success and everything else a failure.

**Repeats.** Nothing but a delivery is sent again by the service itself, apart from one retry after a refused token. A delivery is attempted at once, then after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 5 h, 10 h and every 10 h up to seven days.`;

const taken = [
  ...['app_id', 'client_id', 'auth_code', 'order', 'order_payment_id', 'payment_status', 'payment_fail_reason', 'custom_attributes'],
  ...['event_type', 'payload', 'reference', 'email', 'phone', 'first_name', 'last_name', 'user_data', 'token', 'auth_token'],
  ...['currency', 'amount', 'subtotal_amount', 'shipping_amount', 'discount_amount', 'tax_amount', 'tax_title', 'taxes_included', 'note'],
  ...['miniapp_order_id', 'hostapp_user_id', 'items', 'shipping_address', 'product_name', 'product_variant_name', 'product_sku'],
  ...['product_image_url', 'quantity', 'price', 'discount', 'address1', 'address2', 'region_name', 'region_code', 'province_name'],
  ...['province_code', 'city', 'country', 'postal_code', 'latitude', 'longitude', 'error_message', 'X-Request-Id'],
];

/** What every member of these endpoints is; what is the same as in the API is said in the same words. */
export const partnersGlossary: Glossary = {
  ...Object.fromEntries(taken.map((name) => [name, apiGlossary[name] ?? ''])),
  refresh_token: 'Renews the tokens.',
  access_token: 'Sent in `Authorization` from then on.',
  token_type: 'The word before it; Bearer unless given.',
  expires_in: 'For how many seconds it is good.',
  grant_type: 'Always the same.',
  scope: 'The setting `client_access_token_scope`.',
  error_code: 'Passed on to the caller.',
  payload: 'As the sender gave it; `{}` where there was none.',
  'X-Hostapp-Client-ID': 'The Client ID of the host app.',
  'X-Miniapp-App-ID': 'The App ID of the miniapp.',
  traceparent:
    "W3C Trace Context: the caller's own, and none where it sent none; where the service is traced with `TRACE_CONTEXT=join`, that of this request.",
  'X-User-ID': "The user's reference, where the call goes with the user's token.",
  'Idempotency-Key': 'The same key means the same payment.',
  'webhook-id': 'The id of the delivery, the same on every attempt.',
  'webhook-timestamp': 'When the attempt was made, in Unix seconds.',
  'webhook-signature': 'A signature after Standard Webhooks, where `webhook_signature` is on.',
  'X-Client-Id': 'Where signing is on: the Api client ID.',
  'X-Timestamp': 'Where signing is on: when, in the agreed precision.',
  'X-Signature': 'Where signing is on: the signature.',
  'X-Nonce': 'Where a nonce is agreed.',
  'X-Identity': 'Where an identity is agreed.',
  'X-Merchant-Id': 'Where the template holds it.',
};
