import type { HostAppSettings } from '../../../src/domain/partners/host-app';
import type { PartnerRefused } from '../../../src/domain/partners/partner-errors';
import { printJson } from '../../../src/domain/shared/print-json';
import { Secret } from '../../../src/domain/shared/secret';
import { FakeHostAppPaymentGateway } from '../../fakes/fake-host-app-payment-gateway';
import { aRelay } from '../../support/a-relay';
import { partnerHttp, clock } from '../../support/partners/partner-http';
import { anIntegration } from '../../support/partners/partners';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { basicValueOf, failureOf } from '../../support/sso/sign-on-over-http';
import { bytes, earlyClose, html, json, redirect, refusalOf, type Behaviour } from '../../support/partners/stub-behaviours';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { anOrder, hostAppPaymentGatewayContract } from './host-app-payment-gateway.contract';

hostAppPaymentGatewayContract('the fake', async () => {
  const gateway = new FakeHostAppPaymentGateway();
  return { gateway, hostApp: gateway, records: gateway.records, integration: anIntegration() };
});

const endpointsOf = ({ url }: StubPayingHostApp) => ({ createOrderPayment: `${url}/create`, getOrderPaymentStatus: `${url}/status` });

hostAppPaymentGatewayContract('over HTTP', async () => {
  const hostApp = await new StubPayingHostApp().start();
  const partners = partnerHttp();
  return {
    gateway: partners.hostAppPayments,
    hostApp,
    records: hostApp.payments,
    integration: anIntegration({ hostApp: reachableHostApp({ endpoints: endpointsOf(hostApp) }) }),
    close: async () => {
      partners.close();
      await hostApp.stop();
    },
  };
});

describe('payments over HTTP', () => {
  const partners = partnerHttp();
  let hostApp: StubPayingHostApp;
  beforeEach(async () => {
    hostApp = await new StubPayingHostApp().start();
  });
  afterEach(() => hostApp.stop());
  afterAll(() => partners.close());

  const pair = (settings: Partial<HostAppSettings> = {}) =>
    anIntegration({ hostApp: reachableHostApp({ endpoints: endpointsOf(hostApp), ...settings }) });
  const mia = { reference: 'user mia', accessToken: new Secret('user-token'), attempt: 1 };
  const create = (integration = pair(), user?: typeof mia, once = 'key k-1') =>
    partners.hostAppPayments.create(aRelay(clock), integration, { order: anOrder, once, user });
  const status = (integration = pair(), user?: typeof mia) =>
    partners.hostAppPayments.status(aRelay(clock), integration, { orderPaymentId: 'op-ü', user });

  it('are created with the app id and the order, byte for byte, by the platform', async () => {
    await create();
    const [sent] = hostApp.at('/create');
    expect([sent!.method, sent!.body.toString()]).toEqual(['POST', `{"app_id":"app_abc123","order":${printJson(anOrder.relayed)}}`]);
    expect(sent!.headers).toMatchObject({
      authorization: `Basic ${basicValueOf('platform-at-host', 'host-app-secret-key')}`,
      'content-type': 'application/json',
      'x-hostapp-client-id': 'host_abc123def456',
      'x-miniapp-app-id': 'app_abc123',
      'x-request-id': 'req-1',
      'idempotency-key': expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    expect(sent!.headers).not.toHaveProperty('x-user-id');
  });

  it('poll the status with the three ids, and without an idempotency key', async () => {
    hostApp.on('/status', json({ payment_status: 'paid' }));
    await status();
    const [sent] = hostApp.at('/status');
    expect(sent!.body.toString()).toBe('{"app_id":"app_abc123","client_id":"host_abc123def456","order_payment_id":"op-ü"}');
    expect(sent!.headers).not.toHaveProperty('idempotency-key');
  });

  it('says for which user it calls, under the prefix of the host app', async () => {
    hostApp.on('/status', json({ payment_status: 'paid' }));
    await create(pair({ accessTokenPrefix: 'JWT' }), mia);
    await status(pair({ accessTokenPrefix: 'JWT' }), mia);
    for (const { headers } of hostApp.store) expect(headers).toMatchObject({ authorization: 'JWT user-token', 'x-user-id': 'user mia' });
  });

  it("keeps a caller's key, whatever it holds, out of the header", async () => {
    await create(pair(), undefined, 'key with\nline and ü');
    expect(hostApp.store[0]!.headers['idempotency-key']).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it.each([
    ['1.10', '{"order_payment_id":"op","custom_attributes":{"2":1.10,"1":null,"__proto__":1E5}}', '{"2":1.10,"1":null,"__proto__":1E5}'],
    ['nothing', '{"order_payment_id":"op"}', undefined],
    ['null', '{"order_payment_id":"op","custom_attributes":null}', undefined],
    ['text, which is no reason to lose the payment', '{"order_payment_id":"op","custom_attributes":"x"}', undefined],
    ['too much', `{"order_payment_id":"op","custom_attributes":{"a":"${'x'.repeat(65_536)}"}}`, undefined],
  ])('custom attributes of a created payment: %s', async (_what, answer, kept) => {
    hostApp.on('/create', json(answer));
    const { orderPaymentId, customAttributes } = await create();
    expect(orderPaymentId).toBe('op');
    expect(customAttributes && printJson(customAttributes)).toBe(kept);
  });

  it.each(['0', '17', '9007199254740993', '1'.repeat(255)])('reads an id written as the integer %s as its text', async (digits) => {
    hostApp.on('/create', json(`{"order_payment_id":${digits}}`));
    expect(await create()).toEqual({ orderPaymentId: digits });
    hostApp.on('/status', json(`{"order_payment_id":${digits},"payment_status":"paid"}`));
    const polling = partners.hostAppPayments.status(aRelay(clock), pair(), { orderPaymentId: digits });
    expect(await polling).toEqual({ word: 'paid' });
  });

  it.each<[string, Behaviour, string, string, string | undefined]>([
    ['no id', json({}), 'partner-garbled', 'RESPONSE_ATTRIBUTE_MISSING', undefined],
    ['an id of null', json({ order_payment_id: null }), 'partner-garbled', 'RESPONSE_ATTRIBUTE_MISSING', undefined],
    ['an empty id', json({ order_payment_id: '' }), 'partner-garbled', 'UNEXPECTED_RESPONSE_ERROR', undefined],
    ['an id of 256', json({ order_payment_id: 'x'.repeat(256) }), 'partner-garbled', 'UNEXPECTED_RESPONSE_ERROR', undefined],
    ['an id that is a fraction', json({ order_payment_id: 7.5 }), 'partner-garbled', 'UNEXPECTED_RESPONSE_ERROR', undefined],
    ['an id with an exponent', json('{"order_payment_id":7e1}'), 'partner-garbled', 'UNEXPECTED_RESPONSE_ERROR', undefined],
    ['an id with a sign', json({ order_payment_id: -7 }), 'partner-garbled', 'UNEXPECTED_RESPONSE_ERROR', undefined],
    ['an id that is a boolean', json({ order_payment_id: true }), 'partner-garbled', 'UNEXPECTED_RESPONSE_ERROR', undefined],
    ['a page', html, 'partner-garbled', 'INVALID_RESPONSE_CONTENT_TYPE', undefined],
    ['a page with 502', bytes('text/html', 'x', { status: 502 }), 'partner-garbled', 'UNEXPECTED_RESPONSE_ERROR', 'http-502'],
    ['half an answer', earlyClose, 'partner-unreachable', 'UNEXPECTED_RESPONSE_ERROR', 'reset'],
    ['a redirect', redirect('http://127.0.0.1:9/'), 'partner-unreachable', 'UNEXPECTED_RESPONSE_ERROR', 'redirect'],
  ])('a creation answered with %s', async (_what, behaviour, kind, code, cause) => {
    hostApp.on('/create', behaviour);
    const { kind: found, code: given, details } = await failureOf(create());
    expect([found, given, details.cause, details.step]).toEqual([kind, code, cause, 'create']);
    expect(hostApp.store).toHaveLength(1);
  });

  it.each([
    ['no status', { order_payment_id: 'op-ü' }, 'RESPONSE_ATTRIBUTE_MISSING'],
    ['a status that is a number', { payment_status: 1 }, 'INVALID_PAYMENT_STATUS_RESPONSE'],
    ['an unknown status beside a bad reason', { payment_status: 'x', payment_fail_reason: 1 }, 'INVALID_PAYMENT_STATUS_RESPONSE'],
    ['a reason that is no text', { payment_status: 'failed', payment_fail_reason: {} }, 'UNEXPECTED_RESPONSE_ERROR'],
    ["another payment's status", { order_payment_id: 'op-2', payment_status: 'paid' }, 'UNEXPECTED_RESPONSE_ERROR'],
  ])('a status answered with %s', async (_what, body, code) => {
    hostApp.on('/status', json(body));
    expect(await failureOf(status())).toMatchObject({ kind: 'partner-garbled', code, details: { step: 'status' } });
  });

  it('keeps the whole answer of a refusal, also of a token', async () => {
    const answer = '{"b":1.10,"error_code":"NO_FUNDS","error_message":null,"custom_attributes":7}';
    hostApp.on('/create', json(answer, { status: 402 }));
    expect(printJson(((await failureOf(create())) as PartnerRefused).answer!)).toBe(answer);
    hostApp.on('/status', refusalOf('INVALID_ACCESS_TOKEN'));
    const { answer: kept, name } = (await failureOf(status(pair(), mia))) as PartnerRefused;
    expect([name, kept?.get('error_code')]).toEqual(['UserTokenRejected', 'INVALID_ACCESS_TOKEN']);
  });

  it('does not repeat a creation on a connection that was closed meanwhile', async () => {
    await create();
    hostApp.on('/create', ({ socket }) => void socket.destroy());
    expect(await failureOf(create(pair(), undefined, 'key k-2'))).toMatchObject({
      kind: 'partner-unreachable',
      details: { cause: 'reset' },
    });
    expect(hostApp.store).toHaveLength(2);
  });

  it.each([
    ['create_order_payment_url', () => create(pair({ endpoints: {} })), 'create'],
    ['get_order_payment_status_url', () => status(pair({ endpoints: {} })), 'status'],
  ])('%s was never stored', async (setting, call, step) => {
    expect(await failureOf(call())).toMatchObject({ code: 'ENDPOINT_URL_NOT_SET', details: { side: 'hostapp', step, setting } });
  });
});
