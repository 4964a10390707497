import { UserDataDto } from '../../adapters/in/http/api/sign-on.dto';
import { CreateOrderPaymentDto } from '../../adapters/in/http/api/orders.dto';
import { exchangeCode, readUser, refreshTokens } from '../../adapters/out/partner-http/host-app-calls';
import { createOrderPayment, readPaymentStatus } from '../../adapters/out/partner-http/host-app-payment-calls';
import { ClientTokenReply } from '../../adapters/out/partner-http/client-access-tokens';
import { pairIds } from '../api/api-calls';
import type { NamedSchemas } from '../class-schema';
import { anyObject, members, oneOf, text, type Schema } from '../schema';

/** A call that the service makes to a partner. */
export interface Outbound {
  readonly id: string;
  readonly says: string;
  readonly more: string;
  readonly side: 'host-app' | 'miniapp';
  /** The setting that holds the URL. */
  readonly setting: string;
  readonly method?: 'GET' | 'POST';
  readonly body?: Schema;
  readonly form?: true;
  readonly headers?: Readonly<Record<string, Schema>>;
  readonly asUser?: 'always' | 'as set';
  readonly example?: unknown;
  readonly reply: Schema;
  readonly replyExample: unknown;
  /** Any 2xx counts, whatever the body. */
  readonly anyAnswer?: true;
  readonly unsigned?: true;
}

const delivered = { 'webhook-id!': text, 'webhook-timestamp!': { ...text, pattern: '^\\d+$' }, 'webhook-signature': text };

const tokens = { access_token: 'at-1', refresh_token: 'rt-1' };
const user = { reference: 'user-1', email: 'user@example.com' };
const event = { ...pairIds, event_type: 'loyalty.points', payload: { points: 12 } };
const completion = { ...pairIds, order_payment_id: 'pay_1', payment_status: 'paid' };
const payment = { ...pairIds, order_payment_id: 'pay_1' };

const eventBody = members({ app_id: text, client_id: text, event_type: text, payload: anyObject });
const eventMore =
  'A relayed event is one call: a 2xx answer with JSON goes back to the sender as it is. A durable event carries `webhook-id`, and is delivered again until it is answered 2xx; the id is the same on every attempt.';

const statusOf = { app_id: text, client_id: text, order_payment_id: text };

const optional = (headers: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, schema]) => [name.replace(/!$/, ''), schema]));

/** What a host app answers as a user signs on. */
const signOnCalls = (schemas: NamedSchemas): readonly Outbound[] => {
  const userData = schemas.read(readUser.Reply);
  return [
    {
      ...{ id: 'exchangeAuthCode', says: 'Exchange an auth code for tokens', side: 'host-app', setting: 'access_token_url' },
      more: 'Refuse a code that is too old with `EXPIRED_AUTH_CODE`, one that is unknown or used with `INVALID_AUTH_CODE`.',
      ...{
        body: members({ auth_code: text }),
        example: { auth_code: 'code-1' },
        reply: schemas.read(exchangeCode.Reply),
        replyExample: tokens,
      },
    },
    {
      ...{ id: 'refreshUserToken', says: 'Renew the tokens of a user', side: 'host-app', setting: 'refresh_token_url' },
      more: 'Called once after a call with a user token was answered 401. Without a new `refresh_token` the old one stays.',
      ...{
        body: members({ refresh_token: text }),
        example: { refresh_token: 'rt-1' },
        reply: schemas.read(refreshTokens.Reply),
        replyExample: tokens,
      },
    },
    {
      ...{
        id: 'readUserData',
        says: 'Say whose access token it is',
        side: 'host-app',
        setting: 'user_data_url',
        method: 'GET',
        asUser: 'always',
      },
      more: 'The fields stand in `user_data`, or at the top level. Answer 401 to a token that has expired: it is refreshed once.',
      reply: { anyOf: [{ type: 'object', properties: { user_data: userData }, required: ['user_data'] }, userData] },
      replyExample: { user_data: user },
    },
  ];
};

/** What a host app answers of payments. */
const paymentCalls = (schemas: NamedSchemas): readonly Outbound[] => {
  const order = schemas.read(CreateOrderPaymentDto).properties?.['order'] ?? {};
  return [
    {
      ...{
        id: 'openPayment',
        says: 'Create a payment for an order',
        side: 'host-app',
        setting: 'create_order_payment_url',
        asUser: 'as set',
      },
      more: 'The order is as the miniapp sent it. The same `Idempotency-Key` means the same payment: it is the same after a token refresh, and where the miniapp repeats its call with its own key.',
      body: { type: 'object', properties: { app_id: text, order }, required: ['app_id', 'order'] },
      headers: { 'Idempotency-Key!': text },
      example: { app_id: pairIds.app_id, order: { currency: 'USD', amount: '12.50' } },
      ...{ reply: schemas.read(createOrderPayment.Reply), replyExample: { order_payment_id: 'pay_1' } },
    },
    {
      ...{
        id: 'readPaymentStatus',
        says: 'Say how a payment stands',
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

/** What else a host app may answer. */
const otherHostAppCalls = (schemas: NamedSchemas): readonly Outbound[] => {
  return [
    {
      ...{
        id: 'takeEventOfMiniapp',
        says: 'Take an event of the miniapp',
        side: 'host-app',
        setting: 'events_bridge_url',
        more: eventMore,
      },
      ...{ body: eventBody, example: event, headers: optional(delivered), reply: {}, replyExample: { received: true }, anyAnswer: true },
    },
    {
      ...{
        id: 'issueClientToken',
        says: 'Issue a client access token',
        side: 'host-app',
        setting: 'client_access_token_url',
        form: true,
        unsigned: true,
      },
      more: 'RFC 6749 §4.4. Called where the setting is there; the token then takes the place of Basic on calls to the host app. It is kept until 30 s before it expires; without `expires_in` for 300 s.',
      body: members({ grant_type: oneOf('client_credentials'), 'scope?': text }),
      example: { grant_type: 'client_credentials' },
      ...{ reply: schemas.read(ClientTokenReply), replyExample: { access_token: 'ct-1', token_type: 'Bearer', expires_in: 3600 } },
    },
  ];
};

/** User data; or what the host app encrypted, which names no user that the service knows. */
const sessionBody = (schemas: NamedSchemas): Schema => ({
  anyOf: [
    { ...schemas.read(UserDataDto), additionalProperties: true },
    { ...anyObject, not: { required: ['reference'] } },
  ],
});

/** What a miniapp answers. */
const miniappCalls = (schemas: NamedSchemas): readonly Outbound[] => {
  return [
    {
      ...{ id: 'makeSession', says: 'Make a session out of user data', side: 'miniapp', setting: 'get_auth_token_url' },
      more: 'The user is known by `reference`, which stays the same. After `partner/login` without `reference` the body is whatever the host app encrypted.',
      ...{ body: sessionBody(schemas), example: user },
      reply: {
        type: 'object',
        properties: { auth_token: text, token: text, refresh_token: text },
        anyOf: [{ required: ['auth_token'] }, { required: ['token'] }],
      },
      replyExample: { auth_token: 'session-1', refresh_token: 'renew-1' },
    },
    {
      ...{ id: 'takeCompletion', says: 'Take the completion of a payment', side: 'miniapp', setting: 'webhook_url' },
      more: 'Delivered again until it is answered 2xx, for seven days: know a repeat by `webhook-id`, and answer 200 in all cases. An `error_code` in the answer is noted and changes nothing.',
      body: members({
        ...statusOf,
        payment_status: oneOf('paid', 'cancelled', 'failed'),
        'payment_fail_reason?': text,
        'custom_attributes?': anyObject,
      }),
      ...{ example: completion, headers: delivered, reply: {}, replyExample: {}, anyAnswer: true },
    },
    {
      ...{
        id: 'takeEventOfHostApp',
        says: 'Take an event of the host app',
        side: 'miniapp',
        setting: 'events_bridge_url',
        more: eventMore,
      },
      ...{ body: eventBody, example: event, headers: optional(delivered), reply: {}, replyExample: { received: true }, anyAnswer: true },
    },
  ];
};

/** Every endpoint that partners implement. */
export const outboundCalls = (schemas: NamedSchemas): readonly Outbound[] =>
  [signOnCalls, paymentCalls, otherHostAppCalls, miniappCalls].flatMap((calls) => calls(schemas));
