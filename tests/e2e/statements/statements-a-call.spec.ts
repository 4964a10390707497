import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../../bench/page/tables';
import type { Pair } from '../../support/signatures/a-pair';
import { sealCbc } from '../../support/signatures/sealed-payload';
import { startTestService, until, type Reply, type TestService } from '../../support/service/service';
import { json } from '../../support/partners/stub-behaviours';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import { CountedStatements } from './counted-statements';
import { budgetRows, statementBudgets, type BudgetedCall } from './statement-budgets';

/** So often each call is made: what other work sends meanwhile only adds, so the smallest count is the call's own. */
const times = 5;
const user = { reference: 'user-mia-1' };
const order = { currency: 'USD', amount: '1.10' };

let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
let counted: CountedStatements;
/** Host apps that are called as the platform, and as the user. */
let plain: Pair;
let asUser: Pair;
const created = new Map<Pair, string[]>();

beforeAll(async () => {
  service = await startTestService();
  counted = new CountedStatements(service.database.db);
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
  hostApp.on('/events', json({}));
  miniapp.on('/webhook', json({}));
  const settings = { miniappUrl: miniapp.url, miniapp: { webhook_url: `${miniapp.url}/webhook` } };
  const urls = { ...hostApp.paymentUrls, events_bridge_url: `${hostApp.url}/events` };
  plain = await aPayingPair(service, hostApp, { ...settings, hostApp: urls });
  asUser = await aPayingPair(service, hostApp, { ...settings, hostApp: { ...urls, use_access_token: true } });
  await signOn(asUser, 'first');
});
afterAll(async () => {
  await service.close();
  await hostApp.stop();
  await miniapp.stop();
});

const idsOf = ({ clientId, appId }: Pair) => ({ client_id: clientId, app_id: appId });
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  service.call('POST', `/api/v1/${path}/`, { body, headers });

async function signOn(pair: Pair, code: string): Promise<Reply> {
  hostApp.knows(code, user);
  return post('authorize', { ...idsOf(pair), auth_code: code });
}

/** The user as their host app's back end encrypts them for its page. */
const payloadOf = ({ hostSecret }: Pair): string => sealCbc(JSON.stringify(user), hostSecret).toString('base64');
const query = ({ clientId, appId }: Pair): string => `client_id=${clientId}&app_id=${appId}`;
const changeConsent = (call: 'save_consent' | 'revoke', members: object) =>
  post(`accounts/consent/${call}`, { ...idsOf(plain), user_reference: user.reference, ...members }, plain.basic);

async function create(pair: Pair): Promise<Reply> {
  const reply = await post('orders/create-order-payment', { ...idsOf(pair), order: { ...order, hostapp_user_id: user.reference } });
  created.set(pair, [...(created.get(pair) ?? []), reply.body.order_payment_id as string]);
  return reply;
}

const status = (pair: Pair) => post('orders/get-payment-status', { ...idsOf(pair), order_payment_id: created.get(pair)?.at(-1) });

/** A payment that was created and is still open: each is completed once. */
const complete = (pair: Pair) =>
  post('orders/complete-order', { ...idsOf(pair), order_payment_id: created.get(pair)?.pop(), payment_status: 'paid' }, pair.basic);

const calls: Readonly<Record<BudgetedCall, (nth: number) => Promise<Reply>>> = {
  connect: () => post('connect', { ...idsOf(plain), user_data: user }, plain.basic),
  authorize: (nth) => signOn(plain, `code-${String(nth)}`),
  'partner/login': () => post('partner/login', { ...idsOf(plain), payload: payloadOf(plain) }),
  get_consent: () => service.call('GET', `/api/v1/accounts/consent/get_consent/?${query(plain)}&user_reference=${user.reference}`),
  save_consent: (nth) => changeConsent('save_consent', { text_version: String(nth) }),
  revoke: () => changeConsent('revoke', {}),
  settings: () => service.call('GET', `/api/v1/miniapps/${plain.appId}/settings/?client_id=${plain.clientId}`),
  track: () => post('analytics/track', { ...idsOf(plain) }),
  'create-order-payment': () => create(plain),
  'create-order-payment with a user token': () => create(asUser),
  'get-payment-status': () => status(plain),
  'get-payment-status with a user token': () => status(asUser),
  'complete-order': () => complete(plain),
  'events (relay)': () => post('events/miniapp', { ...idsOf(plain), event_type: 'cart.changed', payload: {} }),
};

/** Until what a call has left to be delivered is delivered, and that is written down. */
const delivered = () =>
  until(
    () => service.database.db.query<unknown[]>(`select from deliveries where state = 'ready'`),
    (pending) => pending.length === 0,
  );

/** The fewest statements of several calls. */
async function fewest(call: BudgetedCall): Promise<string[]> {
  let least: string[] | undefined;
  for (let nth = 0; nth <= times; nth++) {
    const sent = await counted.during(async () => {
      expect((await calls[call](nth)).status).toBe(200);
    });
    await delivered();
    // The first one of all may read settings that are not known yet.
    if (nth > 0 && sent.length < (least?.length ?? Infinity)) least = sent;
  }
  return least ?? [];
}

it.each(statementBudgets.map(({ call, statements }) => [call, statements] as const))('%s sends %j', async (call, statements) => {
  // Two that begin at the same time do so in either order.
  expect((await fewest(call)).sort()).toEqual([...statements].sort());
});

it('the page on performance has the table', () => {
  const page = readFileSync(join(__dirname, '../../../docs/performance.md'), 'utf8');
  expect(page).toContain(table(budgetRows()));
});
