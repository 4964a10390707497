import { randomBytes } from 'node:crypto';
import { sealCbc } from '../../support/signatures/sealed-payload';
import type { SigningPartner } from '../../support/signatures/signing-partner';
import type { BenchPair, BenchPairs, SignerName } from '../bench-partners';
import { publicBase } from '../bench-service';

/** A request with all that it says, made before the clock runs. */
export interface PreparedRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How many requests there are to take turns, where they may come again. */
const inTurns = 5000;
/** A signature with RSA takes a millisecond to make. */
const rsaInTurns = 512;
/** How many users pay, each with tokens of their own. */
export const users = 5000;
export const listLength = 100;

/** Nothing of an earlier round comes again in a later one. */
const fresh = (): string => randomBytes(6).toString('hex');
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

function post(path: string, body: string, headers: Readonly<Record<string, string>>): PreparedRequest {
  return { method: 'POST', path: `/api/v1/${path}/`, headers: { 'content-type': 'application/json', ...headers }, body };
}

const get = (path: string, query: Readonly<Record<string, string>>): PreparedRequest => ({
  ...{ method: 'GET', path: `/api/v1/${path}/?${new URLSearchParams(query).toString()}`, headers: {}, body: '' },
});

/** Signed now: it is accepted for five minutes. */
function signed(path: string, body: string, signer: SigningPartner): PreparedRequest {
  return post(path, body, signer.headers({ method: 'POST', url: `${publicBase}/api/v1/${path}/`, payload: body, at: Date.now() }));
}

const idsOf = ({ clientId, appId }: Pick<BenchPair, 'clientId' | 'appId'>): string => `"client_id":"${clientId}","app_id":"${appId}"`;

const connectBody = (pair: BenchPair, n: number): string =>
  `{${idsOf(pair)},"user_data":{"reference":"user-${(n * 7919) % inTurns}","email":"user@example.com","first_name":"Ada",` +
  '"last_name":"Lovelace","custom_attributes":{"tier":"gold"}}}';

export const connects = (pair: BenchPair): PreparedRequest[] =>
  numbers(inTurns).map((n) => post('connect', connectBody(pair, n), { authorization: pair.hostBasic }));

/** With a nonce each is good for once, so that so many are needed. */
export function signedConnects(pairs: BenchPairs, name: SignerName, count: number): PreparedRequest[] {
  const { [name]: pair } = pairs;
  const { hostSigns } = pair;
  if (!hostSigns) throw new Error(`The host app of ${name} does not sign`);
  const many = { 'hmac-nonce': count, rsa2: rsaInTurns, hmac: inTurns, ecdsa: inTurns }[name];
  return numbers(many).map((n) => signed('connect', connectBody(pair, n), hostSigns));
}

/** What the stub knows as the codes of so many users, each code for once. */
export function authorizations(pair: BenchPair, count: number): PreparedRequest[] {
  const run = fresh();
  return numbers(count).map((n) => post('authorize', `{${idsOf(pair)},"auth_code":"${run}${n}-u${n % users}"}`, {}));
}

/** User data under the host app's Secret key. */
export const logins = (pair: BenchPair): PreparedRequest[] =>
  numbers(inTurns).map((n) => {
    const user = `{"reference":"user-${n}","email":"user@example.com","first_name":"Ada","last_name":"Lovelace"}`;
    const payload = sealCbc(user, pair.hostSecret, { iv: randomBytes(16) }).toString('base64');
    return post('partner/login', `{${idsOf(pair)},"payload":"${payload}"}`, {});
  });

const consentPath = 'accounts/consent';

export const consentQuestions = ({ clientId, appId }: BenchPair): PreparedRequest[] =>
  numbers(inTurns).map((n) => get(`${consentPath}/get_consent`, { client_id: clientId, app_id: appId, user_reference: `user-${n}` }));

/** Each says something new of its user, so that each is written. */
export function savedConsents(pair: BenchPair, count: number): PreparedRequest[] {
  const run = fresh();
  const headers = { authorization: pair.hostBasic };
  const body = (n: number): string => `{${idsOf(pair)},"user_reference":"user-${n}","fields":["email"],"text_version":"${run}"}`;
  return numbers(count).map((n) => post(`${consentPath}/save_consent`, body(n), headers));
}

/** Of users with an earlier consent. */
export const revokedConsents = (pair: BenchPair, count: number): PreparedRequest[] =>
  numbers(count).map((n) =>
    post(`${consentPath}/revoke`, `{${idsOf(pair)},"user_reference":"user-${n}"}`, { authorization: pair.hostBasic }),
  );

export const settingsQuestions = ({ clientId, appId }: BenchPair): PreparedRequest[] => [
  get(`miniapps/${appId}/settings`, { client_id: clientId }),
];

export const miniappLists = ({ clientId }: BenchPair): PreparedRequest[] => [
  get('partner/miniapps/approved_miniapps', { client_id: clientId }),
];

export const tracked = (pair: BenchPair): PreparedRequest[] =>
  numbers(inTurns).map((n) => post('analytics/track', `{${idsOf(pair)},"action":"page.opened","payload":{"page":"p-${n}"}}`, {}));

const order = (id: string, user: string): string =>
  `{"currency":"USD","amount":"24.90","subtotal_amount":"20.00","shipping_amount":"4.90","miniapp_order_id":"${id}","hostapp_user_id":"${user}",` +
  '"items":[{"product_name":"Blue mug","product_sku":"MUG-1","quantity":2,"price":"10.00"}],' +
  '"shipping_address":{"first_name":"Ada","last_name":"Lovelace","address1":"1 Pier Road","city":"Singapore","country":"SG","postal_code":"018989"}}';

/** Orders with the ids under which the stub opens their payments. */
export function creations(pair: BenchPair, count: number): { requests: PreparedRequest[]; payments: string[] } {
  const run = fresh();
  const requests = numbers(count).map((n) =>
    signed('orders/create-order-payment', `{${idsOf(pair)},"order":${order(`${run}-${n}`, `u${n % users}`)}}`, signerOf(pair)),
  );
  return { requests, payments: numbers(count).map((n) => `pay-${run}-${n}`) };
}

export const statusQuestions = (pair: BenchPair, payments: readonly string[]): PreparedRequest[] =>
  payments.map((id) => signed('orders/get-payment-status', `{${idsOf(pair)},"order_payment_id":"${id}"}`, signerOf(pair)));

export const completions = (pair: BenchPair, payments: readonly string[]): PreparedRequest[] =>
  payments.map((id) =>
    post('orders/complete-order', `{${idsOf(pair)},"order_payment_id":"${id}","payment_status":"paid"}`, { authorization: pair.hostBasic }),
  );

/** Both ways the miniapp signs: it vouches for its host apps' events, too. */
export const events = (pair: BenchPair, sender: 'miniapp' | 'hostapp'): PreparedRequest[] =>
  numbers(inTurns).map((n) =>
    signed(`events/${sender}`, `{${idsOf(pair)},"event_type":"cart.changed","payload":{"cart":"c-${n}","items":3}}`, signerOf(pair)),
  );

const transaction = (id: string, n: number): string =>
  `{"transaction_id":"${id}-${n}","amount":"24.90","currency":"USD","user_reference":"user-${n % inTurns}","occurred_at":"2026-01-01T00:00:00Z"}`;

/** One record a call, or a list of them. */
export function transactions(pair: BenchPair, count: number, form: 'single' | 'list'): PreparedRequest[] {
  const run = fresh();
  const headers = { authorization: pair.miniBasic, 'x-miniapp-app-id': pair.appId, 'x-hostapp-client-id': pair.clientId };
  const list = (n: number): string =>
    `[${numbers(listLength)
      .map((one) => transaction(`${run}-${n}`, one))
      .join(',')}]`;
  return numbers(count).map((n) => post('analytics/miniapp-transactions', form === 'list' ? list(n) : transaction(run, n), headers));
}

function signerOf({ miniSigns }: BenchPair): SigningPartner {
  if (!miniSigns) throw new Error('This miniapp does not sign');
  return miniSigns;
}
