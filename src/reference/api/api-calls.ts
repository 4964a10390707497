import { reportedStatuses } from '../../domain/analytics/transaction-report';
import type { ErrorCode } from '../../domain/shared/error-catalogue';
import { anything, object, ref, described, type Schema, text, whole } from '../../adapters/dto/schema';

/** Documentation of a route, in addition to its declaration. */
export interface ApiCall {
  readonly id: string;
  readonly summary: string;
  readonly more: string;
  readonly tag: 'Sign-on' | 'Consent' | 'Payments' | 'Events' | 'Analytics';
  /** The caller, in words. */
  readonly by: string;
  readonly gives: Schema;
  readonly or?: { readonly status: number; readonly description: string; readonly schema: Schema; readonly example: unknown };
  /** Error codes of the action itself. */
  readonly codes?: readonly ErrorCode[];
  /** Set when a partner is called: its own codes pass through, or with `whole` its complete refusal. */
  readonly relays?: true | 'whole';
  /** Replaces the schema of the declared fields. */
  readonly body?: Schema;
  /** Set when the body may have any members besides the declared ones. */
  readonly openBody?: true;
  /** Example of the request and the answer. */
  readonly example: unknown;
  readonly answer: unknown;
}

/** Error codes of failed calls to a partner. */
const relayed: readonly ErrorCode[] = [
  'ENDPOINT_URL_NOT_SET',
  'HOSTAPP_INTEGRATION_NOT_SET',
  'MINIAPP_INTEGRATION_NOT_SET',
  'MISSING_REQUEST_SIGNATURE_SETTINGS',
  'UNEXPECTED_RESPONSE_ERROR',
  'INVALID_RESPONSE_CONTENT_TYPE',
  'FAILED_TO_PARSE_RESPONSE',
  'RESPONSE_ATTRIBUTE_MISSING',
  'NOT_IMPLEMENTED',
  'PROCESS_FAIL',
];
const ofUser: readonly ErrorCode[] = ['EXPIRED_ACCESS_TOKEN', 'INVALID_ACCESS_TOKEN'];

export const pairIds = { client_id: 'host_abc123def456', app_id: 'app_abc123' };
const user = { reference: 'user-1', email: 'user@example.com', phone: '+15550100', first_name: 'Ada', last_name: 'Lovelace' };
const vector = 'AAECAwQFBgcICQoLDA0OD/AxM1kF+jsRXVMIiWBcMSrjkOp494mENOVH4dFO+zdXRSUP1SKrS3vBjrivcG7DrAAacDFz4/kH5B+/PPjHxO8=';

const tokenPair = { token: 'session-1', refresh_token: 'renew-1' };
const shownSettings = {
  app_id: pairIds.app_id,
  miniapp: {
    app_id: pairIds.app_id,
    name: 'Harbour ferries',
    url: 'https://ferries.example/',
    logo: null,
    required_fields: ['email'],
    white_listed_urls: ['https://tickets.ferries.example'],
  },
  hostapp: {
    name: 'Harbour app',
    logo: 'https://harbour.example/logo.png',
    is_consent_enabled: true,
    consent_text: 'Share your e-mail address with Harbour ferries?',
    consent_links: [{ title: 'Privacy', url: 'https://harbour.example/privacy' }],
    consent_in_popup: false,
    server_side_sign_on: false,
  },
  colors: { primary: '#0b3d5c' },
};

const tracked = object('The signal was taken.', {
  message: [text, 'Always `ok`; nothing of the call is kept.'],
  status: [whole, 'Always 200, as the HTTP status.'],
});

const order = {
  currency: 'USD',
  amount: '12.50',
  miniapp_order_id: 'order-1',
  items: [{ product_name: 'Ferry, one way', quantity: 1, price: '12.50' }],
};
const event = { ...pairIds, event_type: 'loyalty.points', payload: { points: 12 } };
const eventMore =
  "A 2xx answer of the receiver with JSON is returned as it is, also where it holds an `error_code`; `{}` where there is none. The miniapp's signature or allowlist is asked for, whoever sends. `ordering_key` is for the service alone: durable events of one key are delivered in order.";
const durable = {
  status: 202,
  description: 'The event is kept, and delivered until it is received (`event_delivery: durable`).',
  schema: ref('AcceptedEvent'),
  example: { event_id: '01a2007eb4917000a56338dcb06e7b1b' },
};
const relayedAnswer = described('The JSON of the receiver, unchanged; `{}` where its 2xx answer held none.', anything);
const eventCodes: readonly ErrorCode[] = [
  ...relayed.filter((code) => code !== 'ENDPOINT_URL_NOT_SET'),
  'EVENT_RECEIVER_DISABLED',
  'EVENT_DELIVERY_FAILED',
];

/** Calls by the name of their route. */
export const apiCalls: Readonly<Record<string, ApiCall>> = {
  connect: {
    ...{ id: 'connect', summary: 'Sign a user in to a miniapp', tag: 'Sign-on', by: "The host app's back end", gives: ref('TokenPair') },
    more: 'The user is stored, the miniapp makes a session out of the user data, and its token pair is the answer. The user object may be named `user_data` or `user`; both must agree. Which fields are needed is a setting of the miniapp; for one of kind `commerce` e-mail or phone. `refresh_token` is empty where the miniapp gives none.',
    ...{
      codes: [...relayed, 'INVALID_USER_DATA', 'CONSENT_REQUIRED'],
      relays: true,
      example: { ...pairIds, user_data: user },
      answer: tokenPair,
    },
  },
  authorize: {
    ...{ id: 'authorize', summary: 'Sign a user in by an auth code', tag: 'Sign-on', by: 'A page in a browser', gives: ref('AuthTokens') },
    more: 'The host app exchanges the code and says who the user is; the miniapp makes a session of it. `token` says the same as `auth_token`. The same code from the same address within 60 seconds gets the same answer. A `user_reference` other than the host app gives is refused.',
    codes: [...relayed, ...ofUser, 'INVALID_USER_DATA', 'CONSENT_REQUIRED', 'EXPIRED_AUTH_CODE', 'INVALID_AUTH_CODE'],
    ...{ relays: true, example: { ...pairIds, auth_code: 'code-1' }, answer: { auth_token: 'session-1', ...tokenPair } },
  },
  'partner/login': {
    ...{
      id: 'partnerLogin',
      summary: 'Sign a user in by an encrypted payload',
      tag: 'Sign-on',
      by: 'A page in a browser',
      gives: ref('TokenPair'),
    },
    more: '`payload` is base64 of IV (16 bytes) and AES-256-CBC ciphertext, or `v2.` and base64url of IV (12), AES-256-GCM ciphertext and tag, with `client_id.app_id` as additional data; the key is the decoded Secret key. Inside stands UserData, or, without `reference`, whatever the miniapp takes. `exp` (Unix seconds) is enforced. Whatever is wrong with it has one answer, `INVALID_USER_DATA`.',
    ...{
      codes: [...relayed, 'INVALID_USER_DATA', 'CONSENT_REQUIRED'],
      relays: true,
      example: { ...pairIds, payload: vector },
      answer: tokenPair,
    },
  },
  get_consent: {
    ...{
      id: 'getConsent',
      summary: 'Read whether a user consented',
      tag: 'Consent',
      by: 'A page in a browser',
      gives: ref('ConsentState'),
    },
    ...{
      more: 'An unknown user counts as one without consent.',
      example: { ...pairIds, user_reference: 'user-1' },
      answer: { is_consented: true },
    },
  },
  save_consent: {
    ...{ id: 'saveConsent', summary: "Record a user's consent", tag: 'Consent', by: "The host app's back end", gives: ref('ConsentState') },
    more: 'A ledger keeps who consented to which fields, when, and by which call.',
    ...{ example: { ...pairIds, user_reference: 'user-1', fields: ['email'], text_version: '2' }, answer: { is_consented: true } },
  },
  revoke: {
    ...{
      id: 'revokeConsent',
      summary: "Revoke a user's consent",
      tag: 'Consent',
      by: "The host app's back end",
      gives: ref('ConsentState'),
    },
    more: 'The ids stand in the query or in the body. Without credentials only where the host app has `public_revoke` on.',
    ...{ example: { ...pairIds, user_reference: 'user-1' }, answer: { is_consented: false } },
  },
  settings: {
    ...{ id: 'getMiniappSettings', summary: 'Read what the SDK needs to open a miniapp', tag: 'Sign-on', by: 'A page in a browser' },
    ...{ more: 'Nothing in it is secret.', gives: ref('MiniappSettings'), example: { ...pairIds }, answer: shownSettings },
  },
  create_order_payment: {
    ...{ id: 'createOrderPayment', summary: 'Create a payment for an order', tag: 'Payments', by: "The miniapp's back end" },
    more: "The order goes to the host app as it came, members in order and decimals in the form sent; unknown members travel too. An answer of the host app with an `error_code` goes out as it came, with 400. The service never repeats a creation by itself; send an `Idempotency-Key` to repeat one safely. Where the host app's calls go with the user's token, `order.hostapp_user_id` is needed.",
    gives: ref('OpenedPayment'),
    codes: [...relayed, ...ofUser, 'HOSTAPP_USER_ID_REQUIRED', 'HOSTAPP_USER_NOT_FOUND'],
    ...{ relays: 'whole', example: { ...pairIds, order }, answer: { order_payment_id: 'pay_1' } },
  },
  get_payment_status: {
    ...{
      id: 'getPaymentStatus',
      summary: 'Ask how a payment stands',
      tag: 'Payments',
      by: "The miniapp's back end",
      gives: ref('PaymentState'),
    },
    more: "The host app is asked, and its answer relayed; it does not settle the payment. Of a payment that is not this integration's nobody is asked.",
    codes: [...relayed, ...ofUser, 'ORDER_NOT_FOUND', 'INVALID_PAYMENT_STATUS_RESPONSE', 'HOSTAPP_USER_NOT_FOUND'],
    ...{ relays: 'whole', example: { ...pairIds, order_payment_id: 'pay_1' } },
    answer: { ...pairIds, order_payment_id: 'pay_1', payment_status: 'paid' },
  },
  complete_order: {
    ...{
      id: 'completeOrder',
      summary: 'Report how a payment ended',
      tag: 'Payments',
      by: "The host app's back end",
      gives: ref('CompletedPayment'),
    },
    more: 'Answered as soon as the result and its delivery to the miniapp are stored; the webhook follows. A final status stays: the same report again is answered 200 and delivered no second time, another one is refused. `in_process` (or `processing`) tells nobody.',
    ...{ codes: ['ORDER_NOT_FOUND', 'INVALID_PAYMENT_STATUS'], example: { ...pairIds, order_payment_id: 'pay_1', payment_status: 'paid' } },
    answer: { order_payment_id: 'pay_1', payment_status: 'paid' },
  },
  hostapp_event: {
    ...{
      id: 'sendEventOfHostApp',
      summary: 'Send an event to the miniapp',
      tag: 'Events',
      by: "The host app's back end",
      gives: relayedAnswer,
    },
    ...{ more: eventMore, or: durable, codes: eventCodes, example: event, answer: { received: true } },
  },
  miniapp_event: {
    ...{
      id: 'sendEventOfMiniapp',
      summary: 'Send an event to the host app',
      tag: 'Events',
      by: "The miniapp's back end",
      gives: relayedAnswer,
    },
    ...{ more: eventMore, or: durable, codes: eventCodes, example: event, answer: { received: true } },
  },
  miniapp_transactions: {
    ...{ id: 'reportTransactions', summary: 'Report what was bought in the miniapp', tag: 'Analytics', by: "The miniapp's back end" },
    more: `One record, or a list of 1 to 500, all or nothing. \`status\` is one of ${reportedStatuses.join(', ')}; paid unless given. The same record again counts once; the same id with other content is refused.`,
    body: { oneOf: [ref('Transaction'), { type: 'array', items: ref('Transaction'), minItems: 1, maxItems: 500 }] },
    gives: described('A receipt, or for a list of records one for each.', {
      oneOf: [ref('AcceptedTransaction'), ref('AcceptedTransactions')],
    }),
    ...{
      codes: ['DATA_INTEGRITY_ERROR'],
      example: { transaction_id: 'tx-1', amount: '12.50', currency: 'USD', order_payment_id: 'pay_1' },
      answer: { transaction_id: 'tx-1', status: 'accepted' },
    },
  },
  track: {
    ...{ id: 'track', summary: 'Tell that a page was used', tag: 'Analytics', by: 'A page in a browser', openBody: true },
    ...{ more: 'Whatever else is in the object is not looked at and not kept.', gives: tracked },
    ...{ example: { ...pairIds, event: 'opened' }, answer: { message: 'ok', status: 200 } },
  },
};
