import { UserDataDto } from '../../adapters/in/http/api/sign-on.dto';
import { CreateOrderPaymentDto } from '../../adapters/in/http/api/orders.dto';
import { exchangeCode, readUser, refreshTokens } from '../../adapters/out/partner-http/sso/host-app-calls';
import { createOrderPayment, readPaymentStatus } from '../../adapters/out/partner-http/payments/host-app-payment-calls';
import { ClientTokenReply } from '../../adapters/out/partner-http/sso/client-access-tokens';
import { pairIds } from '../api/api-calls';
import type { NamedSchemas } from '../class-schema';
import { anyObject, members, oneOf, text, type Members, type Schema } from '../../adapters/dto/schema';
import { appId, clientId, pair } from '../../adapters/dto/shared-members';

/** A call that the service makes to a partner. */
export interface Outbound {
  readonly id: string;
  readonly summary: string;
  readonly more: string;
  readonly side: 'host-app' | 'miniapp';
  /** The setting for the URL. */
  readonly setting: string;
  readonly method?: 'GET' | 'POST';
  readonly body?: Schema;
  readonly form?: true;
  readonly headers?: Members;
  readonly asUser?: 'always' | 'as set';
  readonly example?: unknown;
  readonly reply: Schema;
  readonly replyExample: unknown;
  /** Set when any 2xx counts as success, whatever the body. */
  readonly anyAnswer?: true;
  readonly unsigned?: true;
}

const delivered: Members = {
  'webhook-id!': [text, 'Id of the delivery, the same on every attempt: know a repeat by it.'],
  'webhook-timestamp!': [{ ...text, pattern: '^\\d+$' }, 'Unix seconds at which this attempt was made.'],
  'webhook-signature': [
    text,
    'Signature after Standard Webhooks while `webhook_signature` is on: `v1,` and base64, one for each accepted secret.',
  ],
};

const tokens = { access_token: 'at-1', refresh_token: 'rt-1' };
const user = { reference: 'user-1', email: 'user@example.com' };
const event = { ...pairIds, event_type: 'loyalty.points', payload: { points: 12 } };
const completion = { ...pairIds, order_payment_id: 'pay_1', payment_status: 'paid' };
const payment = { ...pairIds, order_payment_id: 'pay_1' };

const eventBody = members({
  ...pair,
  event_type: [text, 'Kind of event, as the sender named it, such as `loyalty.points`.'],
  payload: [anyObject, 'Content of the event, as the sender gave it; `{}` where it gave none.'],
});
const eventMore =
  'A relayed event is one call: a 2xx answer with JSON goes back to the sender as it is. A durable event carries `webhook-id`, and is delivered again until it is answered 2xx; the id is the same on every attempt.';

const statusOf: Members = {
  app_id: appId,
  client_id: clientId,
  order_payment_id: [text, 'Id of the payment, as the host app gave it when it opened the payment.'],
};

const optional = (headers: Members): Members =>
  Object.fromEntries(Object.entries(headers).map(([name, member]) => [name.replace(/!$/, ''), member]));

/** Calls to a host app during sign-on. */
const signOnCalls = (schemas: NamedSchemas): readonly Outbound[] => {
  const userData = schemas.read(readUser.Reply);
  return [
    {
      ...{ id: 'exchangeAuthCode', summary: 'Exchange an auth code for tokens', side: 'host-app', setting: 'access_token_url' },
      more: 'Refuse a code that is too old with `EXPIRED_AUTH_CODE`, one that is unknown or used with `INVALID_AUTH_CODE`.',
      ...{
        body: members({ auth_code: [text, 'The code that the page sent to authorize, unchanged.'] }),
        example: { auth_code: 'code-1' },
        reply: schemas.read(exchangeCode.Reply),
        replyExample: tokens,
      },
    },
    {
      ...{ id: 'refreshUserToken', summary: 'Renew the tokens of a user', side: 'host-app', setting: 'refresh_token_url' },
      more: 'Called once after a call with a user token was answered 401. Without a new `refresh_token` the old one stays.',
      ...{
        body: members({ refresh_token: [text, "The user's refresh token that the host app issued last."] }),
        example: { refresh_token: 'rt-1' },
        reply: schemas.read(refreshTokens.Reply),
        replyExample: tokens,
      },
    },
    {
      ...{
        id: 'readUserData',
        summary: 'Say whose access token it is',
        side: 'host-app',
        setting: 'user_data_url',
        method: 'GET',
        asUser: 'always',
      },
      more: 'The fields stand in `user_data`, or at the top level. Answer 401 to a token that has expired: it is refreshed once.',
      reply: { anyOf: [members({ user_data: [userData, 'The user of the access token.'] }), userData] },
      replyExample: { user_data: user },
    },
  ];
};

/** Calls to a host app about payments. */
const paymentCalls = (schemas: NamedSchemas): readonly Outbound[] => {
  const { order } = schemas.read(CreateOrderPaymentDto).properties;
  return [
    {
      ...{
        id: 'openPayment',
        summary: 'Create a payment for an order',
        side: 'host-app',
        setting: 'create_order_payment_url',
        asUser: 'as set',
      },
      more: 'The order is as the miniapp sent it. The same `Idempotency-Key` means the same payment: it is the same after a token refresh, and where the miniapp repeats its call with its own key.',
      body: members({ app_id: appId, ...(order && { order }) }),
      headers: {
        'Idempotency-Key!': [text, 'Derived from the key of the miniapp, or from its call; the same key means the same payment.'],
      },
      example: { app_id: pairIds.app_id, order: { currency: 'USD', amount: '12.50' } },
      ...{ reply: schemas.read(createOrderPayment.Reply), replyExample: { order_payment_id: 'pay_1' } },
    },
    {
      ...{
        id: 'readPaymentStatus',
        summary: 'Say how a payment stands',
        side: 'host-app',
        setting: 'get_order_payment_status_url',
        asUser: 'as set',
      },
      more: 'Asked when the miniapp asks, and by the service itself while a payment stays in process (`reconcile`).',
      ...{
        body: members(statusOf),
        example: payment,
        reply: schemas.read(readPaymentStatus.Reply),
        replyExample: { ...payment, payment_status: 'paid' },
      },
    },
  ];
};

/** Other calls to a host app. */
const otherHostAppCalls = (schemas: NamedSchemas): readonly Outbound[] => {
  return [
    {
      ...{
        id: 'takeEventOfMiniapp',
        summary: 'Take an event of the miniapp',
        side: 'host-app',
        setting: 'events_bridge_url',
        more: eventMore,
      },
      ...{ body: eventBody, example: event, headers: optional(delivered), reply: {}, replyExample: { received: true }, anyAnswer: true },
    },
    {
      ...{
        id: 'issueClientToken',
        summary: 'Issue a client access token',
        side: 'host-app',
        setting: 'client_access_token_url',
        form: true,
        unsigned: true,
      },
      more: 'RFC 6749 §4.4. Called where the setting is there; the token then takes the place of Basic on calls to the host app. It is kept until 30 s before it expires; without `expires_in` for 300 s.',
      body: members({
        grant_type: [oneOf('client_credentials'), 'Always `client_credentials` (RFC 6749 §4.4).'],
        'scope?': [text, 'The setting `client_access_token_scope`; absent where it is not set.'],
      }),
      example: { grant_type: 'client_credentials' },
      ...{ reply: schemas.read(ClientTokenReply), replyExample: { access_token: 'ct-1', token_type: 'Bearer', expires_in: 3600 } },
    },
  ];
};

const sessionReply = members({
  auth_token: [text, 'Token of the new session; it goes back to the caller.'],
  token: [text, 'Read where `auth_token` is absent.'],
  refresh_token: [text, 'Token with which the page renews the session; the caller gets an empty one where it is absent.'],
});

/** User data, or data that the host app encrypted and that has no user reference for the service. */
const sessionBody = (schemas: NamedSchemas): Schema => ({
  anyOf: [
    { ...schemas.read(UserDataDto), additionalProperties: true },
    { ...anyObject, not: { required: ['reference'] } },
  ],
});

/** Calls to a miniapp. */
const miniappCalls = (schemas: NamedSchemas): readonly Outbound[] => {
  return [
    {
      ...{ id: 'makeSession', summary: 'Make a session out of user data', side: 'miniapp', setting: 'get_auth_token_url' },
      more: 'The user is known by `reference`, which stays the same. After `partner/login` without `reference` the body is whatever the host app encrypted.',
      ...{ body: sessionBody(schemas), example: user },
      reply: {
        type: 'object',
        properties: sessionReply.properties ?? {},
        anyOf: [{ required: ['auth_token'] }, { required: ['token'] }],
      },
      replyExample: { auth_token: 'session-1', refresh_token: 'renew-1' },
    },
    {
      ...{ id: 'takeCompletion', summary: 'Take the completion of a payment', side: 'miniapp', setting: 'webhook_url' },
      more: 'Delivered again until it is answered 2xx, for seven days: know a repeat by `webhook-id`, and answer 200 in all cases. An `error_code` in the answer is noted and changes nothing.',
      body: members({
        ...statusOf,
        payment_status: [oneOf('paid', 'cancelled', 'failed'), 'Result of the payment; it is final.'],
        'payment_fail_reason?': [text, 'Why the payment failed, in the words of the host app.'],
        'custom_attributes?': [anyObject, 'Further data of the host app about the result, unchanged.'],
      }),
      ...{ example: completion, headers: delivered, reply: {}, replyExample: {}, anyAnswer: true },
    },
    {
      ...{
        id: 'takeEventOfHostApp',
        summary: 'Take an event of the host app',
        side: 'miniapp',
        setting: 'events_bridge_url',
        more: eventMore,
      },
      ...{ body: eventBody, example: event, headers: optional(delivered), reply: {}, replyExample: { received: true }, anyAnswer: true },
    },
  ];
};

/** All endpoints that partners implement. */
export const outboundCalls = (schemas: NamedSchemas): readonly Outbound[] =>
  [signOnCalls, paymentCalls, otherHostAppCalls, miniappCalls].flatMap((calls) => calls(schemas));
