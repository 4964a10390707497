import { setTimeout as pause } from 'node:timers/promises';
import { databaseKinds } from '../../../support/postgres/database';
import * as prepared from '../../calls/prepared-calls';
import type { PreparedRequest } from '../../calls/prepared-calls';
import { openPeerStage, pairs } from '../peer-stage';
import { listen } from './tuned';

const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;
const { basic, payments } = pairs;

describeOnPostgres('the twin of the routes', () => {
  let stage: Awaited<ReturnType<typeof openPeerStage>>;
  beforeAll(async () => (stage = await openPeerStage(listen)));
  afterAll(() => stage.close());

  const count = async (table: string): Promise<number> => (await stage.db.query(`select count(*)::int as n from tuned.${table}`))[0].n;
  const answerTo = async (request: PreparedRequest | undefined) => {
    const { status, json } = await stage.send(request!);
    return [status, json];
  };
  const session = { token: 'mini-token', refresh_token: 'mini-refresh' };
  const refused = (error_code: string): unknown => expect.objectContaining({ error_code });
  const altered = (request: PreparedRequest, from: string, to: string) => ({ ...request, body: request.body.replace(from, to) });

  it('takes an auth code once, and stores the user and the tokens', async () => {
    const [authorize] = prepared.authorizations(basic, 1);
    expect(await answerTo(authorize)).toEqual([200, { auth_token: session.token, ...session }]);
    expect(await answerTo(authorize)).toEqual([400, refused('INVALID_AUTH_CODE')]);
    expect([await count('users'), await count('tokens')]).toEqual([1, 1]);
  });

  it('reads user data with the Secret key, and refuses what it cannot read', async () => {
    const [login] = prepared.logins(basic);
    expect(await answerTo(login)).toEqual([200, session]);
    expect(await answerTo(altered(login!, '"payload":"', '"payload":"AAAA'))).toEqual([400, refused('INVALID_USER_DATA')]);
  });

  it('keeps consent, and a history of its changes', async () => {
    const [query] = prepared.consentQuestions(basic);
    const [save] = prepared.savedConsents(basic, 1);
    const [revoke] = prepared.revokedConsents(basic, 1);
    const states: unknown[] = [];
    for (const request of [query, save, save, query, revoke, query]) states.push((await answerTo(request))[1]);
    expect(states).toEqual([false, true, true, true, false, false].map((is_consented) => ({ is_consented })));
    expect(await count('consent_entries')).toBe(2);
  });

  it('opens a payment as the user, polls its status, and reports the result once', async () => {
    for (const signOn of prepared.authorizations(payments, 1)) await stage.send(signOn);
    const { requests, payments: ids } = prepared.creations(payments, 1);
    const [id = ''] = ids;
    expect(await answerTo(requests[0])).toEqual([200, { order_payment_id: id }]);
    const [question] = prepared.statusQuestions(payments, ids);
    expect(await answerTo(question)).toEqual([200, expect.objectContaining({ order_payment_id: id, payment_status: 'in_process' })]);
    const [completion] = prepared.completions(payments, ids);
    const paid = [200, { order_payment_id: id, payment_status: 'paid' }];
    expect([await answerTo(completion), await answerTo(completion)]).toEqual([paid, paid]);
    expect(await answerTo(altered(completion!, '"paid"', '"failed"'))).toEqual([400, refused('INVALID_PAYMENT_STATUS')]);
    while ((await stage.db.query('select from tuned.deliveries where delivered')).length === 0) await pause(5);
    expect(await (await fetch(`${stage.stub.url}/received`)).json()).toMatchObject({ received: 1, distinct: 1 });
  });

  it('refuses a body that was changed after it was signed', async () => {
    const [creation] = prepared.creations(payments, 1).requests;
    expect(await answerTo(altered(creation!, '24.90', '24.91'))).toEqual([401, refused('INVALID_SIGNATURE')]);
  });

  it.each(['miniapp', 'hostapp'] as const)('relays an event of the %s', async (sender) => {
    const [event] = prepared.events(payments, sender);
    expect(await answerTo(event)).toEqual([200, { ok: true }]);
    expect(await answerTo(altered(event!, 'cart.changed', 'cart.emptied'))).toEqual([401, refused('INVALID_SIGNATURE')]);
  });

  it('keeps a transaction once, and a list whole or not at all', async () => {
    const [single] = prepared.transactions(basic, 1, 'single');
    const [list] = prepared.transactions(basic, 1, 'list');
    for (const request of [single, single, list]) expect((await answerTo(request))[0]).toBe(200);
    expect(await count('transactions')).toBe(1 + prepared.listLength);
    expect(await answerTo(altered(single!, '24.90', '24.91'))).toEqual([400, refused('DATA_INTEGRITY_ERROR')]);
  });

  it('answers pages of any origin', async () => {
    const requests = [...prepared.settingsQuestions(basic), ...prepared.miniappLists(basic), ...prepared.tracked(basic).slice(0, 1)];
    const answers = await Promise.all(requests.map((request) => stage.send(request)));
    expect(answers.map(({ json }) => json)).toEqual([
      expect.objectContaining({ app_id: 'app_a', hostapp: expect.objectContaining({ name: 'Host' }) }),
      [expect.objectContaining({ app_id: 'app_a' })],
      { message: 'ok', status: 200 },
    ]);
    expect(answers.map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual(['*', '*', '*']);
  });

  it('refuses what does not fit', async () => {
    const [connect] = prepared.connects(basic);
    expect(await answerTo(altered(connect!, '"reference"', '"other"'))).toEqual([400, refused('INVALID_INPUT')]);
    expect(await answerTo(altered(connect!, 'app_a', 'app_x'))).toEqual([400, refused('NO_INTEGRATION')]);
  });
});
