import { createHmac } from 'node:crypto';
import { aPair, basicOf, type Pair } from './a-pair';
import { sealCbc, vectorKey } from './sealed-payload';
import { json } from '../partners/stub-behaviours';
import type { StubPartner } from '../partners/stub-partner';
import type { TestService } from '../service/service';

/** One call that is refused. */
export interface Probe {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Two ways to be refused that nobody may tell apart, and a second of the first kind: what noise alone makes of equals. */
export interface RefusalPair {
  readonly name: string;
  /** Status and code of the one answer. */
  readonly answer: readonly [status: number, code: string];
  readonly probes: readonly [first: () => Probe, second: () => Probe, control: () => Probe];
}

const platform = 'https://platform.example';
/** What a service needs to show the pairs: nothing ends as RATE_LIMITED. */
export const refusalEnv = {
  PUBLIC_BASE_URL: platform,
  RATE_LIMITS: JSON.stringify({ partner_login: 10_000_000, sign_on_failures: 10_000_000, 'basic-failure': 10_000_000 }),
};

const post =
  (path: string) =>
  (body: object, headers: Readonly<Record<string, string>> = {}): Probe => ({
    path: `/api/v1/${path}/`,
    headers,
    body: JSON.stringify(body),
  });
const connect = post('connect');
const complete = post('orders/complete-order');
const report = post('analytics/miniapp-transactions');
const status = post('orders/get-payment-status');
const login = post('partner/login');

const wrong = 'w'.repeat(43) + '=';
const alsoWrong = 'v'.repeat(43) + '=';
const unknownHost = (n: number): string => `host_${String(n).padStart(12, '0')}`;
const unknownApp = (n: number): string => `app_${String(n).padStart(6, '0')}`;

/** The three routes that can ask for Basic: what differs is where the app is named. */
function basicProbes({ clientId, appId }: Pair) {
  const user = { user: { reference: 'u' } };
  const payment = { order_payment_id: 'none', payment_status: 'paid' };
  const record = { transaction_id: 't', amount: '1', currency: 'USD' };
  return [
    {
      call: 'connect',
      id: clientId,
      unknown: unknownHost,
      probe: (id: string, headers: object) => connect({ client_id: id, app_id: appId, ...user }, { ...headers }),
    },
    {
      call: 'complete-order',
      id: clientId,
      unknown: unknownHost,
      probe: (id: string, headers: object) => complete({ client_id: id, app_id: appId, ...payment }, { ...headers }),
    },
    {
      call: 'analytics',
      id: appId,
      unknown: unknownApp,
      probe: (id: string, headers: object) => report(record, { ...headers, 'X-Hostapp-Client-Id': clientId, 'X-Miniapp-App-Id': id }),
    },
  ];
}

function basicPairs(pair: Pair): RefusalPair[] {
  let n = 0;
  return basicProbes(pair).flatMap(({ call, id, unknown, probe }) => {
    const of = (user: string, secret: string) => probe(user, basicOf(user, secret));
    const answer = [401, 'ACCESS_DENIED'] as const;
    const wrongSecret = () => of(id, wrong);
    const control = () => of(id, alsoWrong);
    const garbage = (user: string) => probe(user, { Authorization: 'Basic ***' });
    return [
      { name: `${call}: wrong secret, unknown app`, answer, probes: [wrongSecret, () => of(unknown(0), wrong), control] },
      { name: `${call}: wrong secret, unknown apps, each another`, answer, probes: [wrongSecret, () => of(unknown(++n), wrong), control] },
      { name: `${call}: no header, unknown app`, answer, probes: [() => probe(id, {}), () => probe(unknown(0), {}), () => probe(id, {})] },
      {
        name: `${call}: wrong secret, wrong user name`,
        answer,
        probes: [wrongSecret, () => probe(id, basicOf(id.replace(/.$/, '-'), wrong)), control],
      },
      { name: `${call}: garbage, unknown app`, answer, probes: [() => garbage(id), () => garbage(unknown(0)), () => garbage(id)] },
    ] satisfies RefusalPair[];
  });
}

/** The secret wrong in its first or in its last character; and an app with two secrets beside one with none. */
async function secretPairs(service: TestService, pair: Pair): Promise<RefusalPair[]> {
  const { appId, clientId, hostSecret } = pair;
  const revoked = await aPair(service);
  await service.manage('POST', `host-apps/${revoked.clientId}/revoke`, { credential: 'secret_key', which: 'current' });
  const rotated = await aPair(service);
  await service.manage('POST', `host-apps/${rotated.clientId}/rotate`, { credential: 'secret_key' });
  const of = (id: string, secret: string) => () => connect({ client_id: id, app_id: appId }, basicOf(id, secret));
  const first = hostSecret.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'));
  const last = hostSecret.replace(/.(?==$)/, (letter) => (letter === 'A' ? 'E' : 'A'));
  const answer = [401, 'ACCESS_DENIED'] as const;
  return [
    {
      name: 'connect: secret wrong in its first, in its last character',
      answer,
      probes: [of(clientId, first), of(clientId, last), of(clientId, first)],
    },
    {
      name: 'connect: wrong secret, no secret stored',
      answer,
      probes: [of(clientId, wrong), of(revoked.clientId, wrong), of(clientId, alsoWrong)],
    },
    {
      name: 'connect: wrong secret of one, of two',
      answer,
      probes: [of(clientId, wrong), of(rotated.clientId, wrong), of(clientId, alsoWrong)],
    },
  ];
}

/** A payment that there is none of, and one of another integration. */
async function paymentPairs(service: TestService, hostApp: StubPartner): Promise<RefusalPair[]> {
  hostApp.on('/create', json({ order_payment_id: 'op-foreign' }));
  const miniapp = { ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8'] } };
  const urls = { create_order_payment_url: `${hostApp.url}/create`, get_order_payment_status_url: `${hostApp.url}/status` };
  const [own, foreign] = [await aPair(service, { hostApp: urls, miniapp }), await aPair(service, { hostApp: urls, miniapp })];
  const order = { app_id: foreign.appId, client_id: foreign.clientId, order: { currency: 'USD', amount: '1' } };
  const created = await service.call('POST', '/api/v1/orders/create-order-payment/', { body: order });
  if (created.status !== 200) throw new Error(`No payment was made: ${created.text}`);
  const ids = { app_id: own.appId, client_id: own.clientId };
  const completed = (id: string) => () => complete({ ...ids, order_payment_id: id, payment_status: 'paid' }, own.basic);
  const statusOfId = (id: string) => () => status({ ...ids, order_payment_id: id });
  const answer = [400, 'ORDER_NOT_FOUND'] as const;
  return [
    {
      name: 'complete-order: unknown payment, foreign payment',
      answer,
      probes: [completed('op-unknown'), completed('op-foreign'), completed('op-another')],
    },
    {
      name: 'get-payment-status: unknown payment, foreign payment',
      answer,
      probes: [statusOfId('op-unknown'), statusOfId('op-foreign'), statusOfId('op-another')],
    },
  ];
}

/** A signature that is wrong in its first byte, in its last, and in all. */
async function signaturePairs(service: TestService): Promise<RefusalPair[]> {
  const secret = 'timing-of-signatures-0123456789abcdef';
  const signature = { enabled: true, algorithm: 'HMAC', encoding: 'hex', hmac_secret: secret, api_client_id: 'cid_1' };
  const { appId, clientId } = await aPair(service, { miniapp: { signature } });
  const signed = (spoil: (made: Buffer) => unknown) => () => {
    const { path, body } = status({ app_id: appId, client_id: clientId, order_payment_id: 'none' });
    const time = String(Math.floor(Date.now() / 1000));
    const made = createHmac('sha256', secret).update(`POST.${platform}${path}.cid_1.${time}.${body}`).digest();
    spoil(made);
    return { path, body, headers: { 'X-Client-Id': 'cid_1', 'X-Timestamp': time, 'X-Signature': made.toString('hex') } };
  };
  const right = signed(() => undefined)();
  const passed = await service.call('POST', right.path, right);
  if (passed.body.error_code !== 'ORDER_NOT_FOUND') throw new Error(`A right signature does not pass: ${passed.text}`);
  const spoiltAt = (at: number) => signed((made) => made.writeUInt8(made[at]! ^ 1, at));
  const spoiltWhole = signed((made) => made.forEach((byte, i) => made.writeUInt8(byte ^ 0xff, i)));
  const answer = [401, 'INVALID_SIGNATURE'] as const;
  return [
    { name: 'signature: wrong in its first, in its last byte', answer, probes: [spoiltAt(0), spoiltAt(31), spoiltAt(0)] },
    { name: 'signature: wrong in its last byte, in all', answer, probes: [spoiltAt(31), spoiltWhole, spoiltAt(31)] },
  ];
}

const block = (fill: number): Buffer => Buffer.alloc(16, fill);
/** Three blocks of this text, and one of padding. */
const sealed = (text: string, pad: Buffer): string => sealCbc(text.padEnd(48), vectorKey, { pad }).toString('base64');

async function payloadPairs(service: TestService): Promise<RefusalPair[]> {
  const pair = await aPair(service, { hostApp: { client_id: 'host_timing000001', secret_key: vectorKey } });
  const revoked = await aPair(service, { hostApp: { client_id: 'host_timing000002', secret_key: vectorKey } });
  await service.manage('POST', `host-apps/${revoked.clientId}/revoke`, { credential: 'secret_key', which: 'current' });
  const [wrongPadding, alsoWrongPadding, garbage] = [sealed('{"a":1', block(0)), sealed('{"a":1', block(17)), sealed('{"a":1', block(16))];
  const of =
    (payload: string, { clientId, appId }: Pair = pair) =>
    () =>
      login({ client_id: clientId, app_id: appId, payload });
  const answer = [400, 'INVALID_USER_DATA'] as const;
  return [
    { name: 'partner/login: padding wrong, padding right', answer, probes: [of(wrongPadding), of(garbage), of(alsoWrongPadding)] },
    {
      name: 'partner/login: not base64, padding wrong',
      answer,
      probes: [of(`${wrongPadding.slice(0, -1)}*`), of(wrongPadding), of(`*${wrongPadding.slice(1)}`)],
    },
    {
      name: 'partner/login: not JSON, expired',
      answer,
      probes: [of(garbage), of(sealed('{"reference":"u","exp":1}', block(16))), of(sealed('{"b":2', block(16)))],
    },
    { name: 'partner/login: wrong key, no key', answer, probes: [of(wrongPadding), of(wrongPadding, revoked), of(alsoWrongPadding)] },
  ];
}

/** Every pair of refusals that must not differ (contract/authentication#basic, contract/payments#early-completions); `hostApp` plays the back end of those that need one. */
export async function refusalPairs(service: TestService, hostApp: StubPartner): Promise<RefusalPair[]> {
  const pair = await aPair(service);
  return [
    ...basicPairs(pair),
    ...(await secretPairs(service, pair)),
    ...(await paymentPairs(service, hostApp)),
    ...(await signaturePairs(service)),
    ...(await payloadPairs(service)),
  ];
}
