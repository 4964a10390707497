import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeliveryContent } from '../../../src/domain/deliveries/delivery';
import type { DeliveryAnswer } from '../../../src/domain/deliveries/ports';
import type { Integration } from '../../../src/domain/partners/integrations/integration';
import { aDueDelivery, aPendingCompletion, anOutboxEvent, eventBody } from '../../support/outbox-events';
import { partnerHttp, clock } from '../../support/partners/partner-http';
import { aMiniapp, anIntegration } from '../../support/partners/partners';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { basicValueOf, failureOf } from '../../support/sso/sign-on-over-http';
import {
  bytes,
  drip,
  earlyClose,
  gzipBomb,
  hangBeforeHeaders,
  hangInBody,
  html,
  huge,
  json,
  nothing,
  redirect,
  refusalOf,
  reset,
  wrongLength,
  type Behaviour,
} from '../../support/partners/stub-behaviours';
import { StubPartner, type Received } from '../../support/partners/stub-partner';

let partner: StubPartner;
let partners: ReturnType<typeof partnerHttp>;
beforeEach(async () => {
  partner = await new StubPartner().start();
  partners = partnerHttp({ connectTimeoutMs: 500 });
});
afterEach(async () => {
  partners.close();
  await partner.stop();
});

const completion: DeliveryContent = { kind: 'completion', completion: aPendingCompletion().completion };
const event = (receiver: 'hostapp' | 'miniapp'): DeliveryContent => ({
  kind: 'event',
  receiver,
  body: anOutboxEvent().body,
  requestId: 'req-1',
});
const pair = (): Integration =>
  anIntegration({
    hostApp: reachableHostApp({ endpoints: { eventsBridge: `${partner.url}/host-events` } }),
    miniapp: aMiniapp({ endpoints: { webhook: `${partner.url}/webhook`, eventsBridge: `${partner.url}/mini-events` } }),
  });
const at = 1_700_000_000_999;
const deliver = (content: DeliveryContent = completion, integration = pair(), withinMs = 2000): Promise<DeliveryAnswer> => {
  return partners.deliveries.deliver({ integration, delivery: aDueDelivery(content), at, deadline: clock.now() + withinMs });
};

/** The headers as sent, without those that belong to the connection. */
function sentHeaders({ rawHeaders }: Received): string[] {
  const lines = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1]!}`] : []));
  return lines.filter((line) => !/^(Host|Connection|Content-Length):/i.test(line)).sort();
}
const headers = [
  ...['Accept-Encoding: identity', 'Accept: application/json', 'Content-Type: application/json', 'User-Agent: Pierhead'],
  ...['X-Hostapp-Client-ID: host_abc123def456', 'X-Miniapp-App-ID: app_abc123', 'X-Request-Id: req-1'],
  ...['webhook-id: dlv_1', 'webhook-timestamp: 1700000000'],
];
const miniappBasic = `Authorization: Basic ${basicValueOf('app_abc123', 'mini-secret')}`;

describe('a sent delivery', () => {
  beforeEach(() => partner.always(json({})));

  it('a completion: to the webhook URL with six fields, custom attributes byte for byte', async () => {
    await deliver();
    const [sent] = partner.store;
    expect([sent!.method, sent!.path]).toEqual(['POST', '/webhook']);
    expect(sent!.body.toString()).toBe(
      '{"app_id":"app_abc123","client_id":"host_abc123def456","order_payment_id":"op of pay_1","payment_status":"paid","custom_attributes":{"z":1.10,"a":12345678901234567.10}}',
    );
    expect(sentHeaders(sent!)).toEqual([...headers, miniappBasic].sort());
  });

  it('the same bytes at every attempt', async () => {
    for (let i = 0; i < 3; i++) await deliver();
    const all = partner.store.map(({ body, headers: sent }) => `${String(sent['webhook-id'])} ${body.toString()}`);
    expect(new Set(all).size).toBe(1);
  });

  it('an event to the miniapp, with its credentials', async () => {
    await deliver(event('miniapp'));
    expect([partner.store[0]!.path, partner.store[0]!.body.toString()]).toEqual(['/mini-events', eventBody]);
    expect(sentHeaders(partner.store[0]!)).toEqual([...headers, miniappBasic].sort());
  });

  it('an event to the host app, with the credentials that it gave us', async () => {
    await deliver(event('hostapp'));
    expect([partner.store[0]!.path, partner.store[0]!.body.toString()]).toEqual(['/host-events', eventBody]);
    const basic = `Authorization: Basic ${basicValueOf('platform-at-host', 'host-app-secret-key')}`;
    expect(sentHeaders(partner.store[0]!)).toEqual([...headers, basic].sort());
  });
});

describe('what counts as an answer', () => {
  it.each<[string, Behaviour, DeliveryAnswer]>([
    ['200 and JSON', json({ ok: true }), { status: 200 }],
    ['200 and a refusal', refusalOf('PROCESS_FAIL'), { status: 200, errorCode: 'PROCESS_FAIL' }],
    ['204', nothing, { status: 204 }],
    ['200 and a page', html, { status: 200 }],
    ['200 and 50 MB', huge, { status: 200 }],
    ['200 and a bomb', gzipBomb, { status: 200 }],
    ['200 and half a body', earlyClose, { status: 200 }],
    ['200 and a wrong length', wrongLength, { status: 200 }],
    ['200 and a body that never ends', hangInBody, { status: 200 }],
    ['200 and a byte a second', drip, { status: 200 }],
    ['a redirect', redirect('http://127.0.0.1:9/'), { status: 302 }],
    ['500 with a code', refusalOf('DOWN', { status: 500 }), { status: 500, errorCode: 'DOWN' }],
    ['a code that is none', json({ error_code: 'ö\n' }, { status: 400 }), { status: 400 }],
    ['a code beside NUL', json({ error_code: 'NO', exception: 'a\u0000' }, { status: 400 }), { status: 400, errorCode: 'NO' }],
    ['503 with seconds', json({}, { status: 503, headers: { 'Retry-After': '120' } }), { status: 503, retryAfterS: 120 }],
    [
      '429 with a date',
      bytes('text/plain', '', { status: 429, headers: { 'Retry-After': 'Tue, 14 Nov 2023 22:13:51 GMT' } }),
      { status: 429, retryAfterS: 30.001 },
    ],
    [
      'a date gone by',
      json({}, { status: 503, headers: { 'Retry-After': 'Tue, 14 Nov 2003 22:13:51 GMT' } }),
      { status: 503, retryAfterS: 0 },
    ],
    ['Retry-After that is neither', json({}, { status: 503, headers: { 'Retry-After': 'soon' } }), { status: 503 }],
  ])('%s', async (_what, behaviour, answer) => {
    partner.always(behaviour);
    expect(await deliver(completion, pair(), 2000)).toEqual({ errorCode: undefined, retryAfterS: undefined, ...answer });
    expect(partner.store).toHaveLength(1);
  });

  it.each<[string, Behaviour, string]>([
    ['silence', hangBeforeHeaders, 'timeout'],
    ['a reset', reset, 'reset'],
  ])('not %s', async (_what, behaviour, cause) => {
    partner.always(behaviour);
    const leg = { side: 'miniapp', step: 'webhook', cause };
    expect(await failureOf(deliver(completion, pair(), 300))).toMatchObject({ kind: 'partner-unreachable', details: leg });
  });

  it('names the missing setting', async () => {
    const bare = anIntegration({ hostApp: reachableHostApp(), miniapp: aMiniapp() });
    for (const [content, setting] of [
      [completion, 'webhook_url'],
      [event('miniapp'), 'events_bridge_url'],
      [event('hostapp'), 'events_bridge_url'],
    ] as const) {
      expect(await failureOf(deliver(content, bare))).toMatchObject({ code: 'ENDPOINT_URL_NOT_SET', details: { setting } });
    }
  });
});

it('is sent again at once if a kept connection was closed', async () => {
  partner.always(json({}));
  await deliver();
  // A connection can be used again a turn after its answer.
  await nextTurn();
  partner.always((received, response) => {
    partner.always(json({}));
    void reset(received, response);
  });
  expect((await deliver()).status).toBe(200);
  expect(partner.store).toHaveLength(3);
});

it('gets one new client access token if the old one is refused', async () => {
  let tokens = 0;
  partner.on('/client-token', (received, response) => json({ access_token: `t${++tokens}` })(received, response));
  partner.on('/host-events', (received, response) =>
    json({}, { status: received.headers.authorization === 'Bearer t2' ? 200 : 401 })(received, response),
  );
  const hostApp = reachableHostApp({
    endpoints: { eventsBridge: `${partner.url}/host-events`, clientAccessToken: `${partner.url}/client-token` },
  });
  expect((await deliver(event('hostapp'), anIntegration({ hostApp }))).status).toBe(200);
  expect([tokens, partner.at('/host-events').length]).toEqual([2, 2]);
  partner.on('/host-events', json({}, { status: 401 }));
  expect((await deliver(event('hostapp'), anIntegration({ hostApp }))).status).toBe(401);
});
