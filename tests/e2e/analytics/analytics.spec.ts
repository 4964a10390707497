import { aPair, basicOf, type Pair, type PairSettings } from '../../support/signatures/a-pair';
import { startTestService, type Reply, type TestService } from '../../support/service/service';

let service: TestService;
let pair: Pair;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  pair = await aPair(service);
});

const path = '/api/v1/analytics/miniapp-transactions/';
type Headers = Record<string, string>;
const headersOf = ({ clientId, appId, miniSecret }: Pair): Headers => ({
  ...basicOf(appId, miniSecret),
  'X-Hostapp-Client-Id': clientId,
  'X-Miniapp-App-Id': appId,
});
const send = (body: unknown, headers: Headers = {}, of = pair) =>
  service.call('POST', path, { body, headers: { ...headersOf(of), ...headers } });
const without = (name: string): Headers => Object.fromEntries(Object.entries(headersOf(pair)).filter(([known]) => known !== name));

const record = (more: object = {}) => ({ transaction_id: 'tx-1', amount: '1.10', currency: 'USD', ...more });
const wholeRecord = () => ({
  ...record(),
  status: 'paid',
  user_reference: service.canary('CANARY-analytics-user'),
  miniapp_order_id: 'order-1',
  order_payment_id: 'op-1',
  shipping: 1.5,
  tax: '0.20',
  discount: 0,
  items: [{ name: 'Tea', price: 1.1, quantity: 1 }],
  customer: { name: service.canary('CANARY-analytics-name'), email: 'mia@example.com' },
  occurred_at: '2026-01-02T03:04:05+01:00',
  custom_attributes: { note: service.canary('CANARY-analytics-note') },
});

const query = (call: string, of: Pair, more: Record<string, string> = {}) =>
  service.manage('GET', `analytics/${call}?${new URLSearchParams({ client_id: of.clientId, app_id: of.appId, ...more }).toString()}`);
const keptIds = async (of = pair) =>
  (await query('transactions', of)).body.data.map((line: { transaction_id: string }) => line.transaction_id).sort();
const code = ({ status, body }: Reply) => [status, body.error_code];
const fieldsOf = ({ body }: Reply) => body.custom_attributes.fields as { path: string; rule: string }[];

describe('ids that are JSON integers', () => {
  it('are read as their texts: the same record counts once in either form', async () => {
    const ids = { transaction_id: 17, order_payment_id: 5, miniapp_order_id: 6, user_reference: 42 };
    const reply = await send(record(ids));
    expect(reply.text).toBe('{"transaction_id":"17","status":"accepted"}');
    const texts = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)]));
    expect((await send(record(texts))).status).toBe(200);
    expect(await keptIds()).toEqual(['17']);
    expect(code(await send(record({ ...texts, order_payment_id: 7 })))).toEqual([400, 'DATA_INTEGRITY_ERROR']);
  });
});

describe('one record', () => {
  it('is accepted, and shown to the operator without anything of the user', async () => {
    const reply = await send(wholeRecord(), { 'X-Request-Id': 'tx-request-1' });
    expect([reply.status, reply.text]).toEqual([200, '{"transaction_id":"tx-1","status":"accepted"}']);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { status, body, text } = await query('transactions', pair);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: expect.any(String),
          transaction_id: 'tx-1',
          client_id: pair.clientId,
          app_id: pair.appId,
          status: 'paid',
          currency: 'USD',
          amount: '1.10',
          shipping: '1.50',
          tax: '0.20',
          discount: '0.00',
          order_payment_id: 'op-1',
          miniapp_order_id: 'order-1',
          at: '2026-01-02T02:04:05.000Z',
          received_at: expect.any(String),
          request_id: 'tx-request-1',
        },
      ],
      next_cursor: null,
    });
    expect(text).not.toMatch(/CANARY|mia@/);
    const [row] = await service.database.db.query('select t::text as text from miniapp_transactions t where client_id = $1', [
      pair.clientId,
    ]);
    expect(row.text).not.toMatch(/CANARY|mia@/);
  });

  it('needs three fields, treats null as absent, and ignores unknown fields', async () => {
    expect((await send(record({ status: null, customer: null, unknown: { x: 1 } }))).status).toBe(200);
    expect((await send(record())).status).toBe(200);
    expect((await query('transactions', pair)).body.data).toMatchObject([{ status: 'paid', amount: '1.10' }]);
  });

  it.each(['paid', 'cancelled', 'failed', 'in_process', 'refunded'])('may be %s', async (status) => {
    expect((await send(record({ status }))).status).toBe(200);
    expect((await query('transactions', pair, { status })).body.data).toHaveLength(1);
  });

  it.each(['"12345678901234567.10"', '12345678901234567.10', '1E5', '1e-2', '0', '"0.00"', '99999999999999999999'])(
    'may have the amount %s, which is kept as it came',
    async (amount) => {
      expect((await send(`{"transaction_id":"tx","currency":"USD","amount":${amount}}`)).status).toBe(200);
      expect((await query('transactions', pair)).body.data[0].amount).toBe(amount.replaceAll('"', ''));
    },
  );

  it('is taken at the path without the final slash too', async () => {
    const reply = await service.call('POST', path.slice(0, -1), { body: record(), headers: headersOf(pair) });
    expect(reply.status).toBe(200);
  });

  it('leaves an exchange record', async () => {
    await send(record(), { 'X-Request-Id': 'tx-exchange-1' });
    expect(await service.exchanges('tx-exchange-1')).toMatchObject([
      { call: 'miniapp_transactions', client_id: pair.clientId, app_id: pair.appId, status: 200, checks: ['basic'], legs: [] },
    ]);
  });
});

describe('a record again', () => {
  it('counts once, whatever its member order and the spelling of its amounts', async () => {
    const { transaction_id, amount, ...rest } = record({ tax: 1, custom_attributes: { a: 1, b: { c: 2, d: 3 } }, status: 'paid' });
    expect((await send({ transaction_id, amount, ...rest })).status).toBe(200);
    const turned = { ...rest, custom_attributes: { b: { d: 3, c: 2 }, a: 1 }, tax: '1.00', amount: 1.1, transaction_id };
    expect((await send(turned)).body).toEqual({ transaction_id: 'tx-1', status: 'accepted' });
    expect((await query('summary', pair)).body.data).toMatchObject([{ count: 1, amount: '1.10' }]);
  });

  it('with other content is refused, and the first stays', async () => {
    await send(record());
    const reply = await send(record({ amount: '1.11' }));
    expect(code(reply)).toEqual([400, 'DATA_INTEGRITY_ERROR']);
    expect(reply.body.custom_attributes).toMatchObject({
      side: 'miniapp',
      retryable: false,
      fields: [{ path: 'transaction_id', rule: 'tx-1 was sent with other content' }],
    });
    expect((await query('transactions', pair)).body.data).toMatchObject([{ amount: '1.10' }]);
  });

  it('of another integration is another record', async () => {
    const other = await aPair(service);
    expect([(await send(record())).status, (await send(record({ amount: '2' }), {}, other)).status]).toEqual([200, 200]);
    expect([await keptIds(), await keptIds(other)]).toEqual([['tx-1'], ['tx-1']]);
  });

  it('a hundred times at once counts once, over two instances', async () => {
    const second = await startTestService({ database: service.database });
    try {
      const both = [service, second];
      const calls = Array.from({ length: 100 }, (_, i) => both[i % 2]!.call('POST', path, { body: [record()], headers: headersOf(pair) }));
      expect(new Set((await Promise.all(calls)).map(({ status, text }) => `${String(status)} ${text}`))).toEqual(
        new Set(['200 {"results":[{"transaction_id":"tx-1","status":"accepted"}]}']),
      );
      expect((await query('summary', pair)).body.data).toMatchObject([{ count: 1 }]);
    } finally {
      await second.close();
    }
  });
});

describe('a list', () => {
  const listOf = (count: number) => Array.from({ length: count }, (_, i) => record({ transaction_id: `tx-${i}` }));

  it('is answered in its order, and kept whole', async () => {
    const reply = await send([record({ transaction_id: 'b' }), record({ transaction_id: 'a' }), record({ transaction_id: 'b' })]);
    expect([reply.status, reply.body]).toEqual([
      200,
      { results: ['b', 'a', 'b'].map((transaction_id) => ({ transaction_id, status: 'accepted' })) },
    ]);
    expect(await keptIds()).toEqual(['a', 'b']);
  });

  it('may hold five hundred, not one more, and not none', async () => {
    expect((await send(listOf(500))).body.results).toHaveLength(500);
    expect((await query('summary', pair)).body.data).toMatchObject([{ count: 500, amount: '550.00' }]);
    for (const list of [listOf(501), []]) {
      const reply = await send(list);
      expect([...code(reply), ...fieldsOf(reply)]).toEqual([400, 'INVALID_INPUT', { path: '[]', rule: '1 to 500 records' }]);
    }
  });

  it('with one bad record is refused whole, each field named by its place', async () => {
    const reply = await send([
      record(),
      record({ transaction_id: 'tx-2', amount: -1, tax: 'x' }),
      'record',
      record({ transaction_id: '' }),
    ]);
    expect(code(reply)).toEqual([400, 'INVALID_INPUT']);
    expect(fieldsOf(reply)).toEqual([
      { path: '[1].amount', rule: 'must not be negative' },
      { path: '[1].tax', rule: 'must be a decimal' },
      { path: '[2]', rule: 'must be an object' },
      { path: '[3].transaction_id', rule: 'at least 1 character' },
    ]);
    expect(await keptIds()).toEqual([]);
  });

  it('names a hundred mistakes at most', async () => {
    expect(fieldsOf(await send(Array.from({ length: 200 }, () => ({}))))).toHaveLength(100);
  });

  it('with an id of other content, in it or kept before, is refused whole', async () => {
    await send(record({ transaction_id: 'kept' }));
    const before = await send([record({ transaction_id: 'new' }), record({ transaction_id: 'kept', currency: 'EUR' })]);
    expect([...code(before), ...fieldsOf(before)]).toEqual([
      400,
      'DATA_INTEGRITY_ERROR',
      { path: '[1].transaction_id', rule: 'kept was sent with other content' },
    ]);
    const inside = await send([record({ transaction_id: 'new' }), record({ transaction_id: 'new', currency: 'EUR' })]);
    expect([...code(inside), ...fieldsOf(inside).map((field) => field.path)]).toEqual([400, 'DATA_INTEGRITY_ERROR', '[1].transaction_id']);
    expect(await keptIds()).toEqual(['kept']);
  });
});

describe('bad input', () => {
  const long = (length: number) => 'x'.repeat(length);
  const big = { text: long(65_536) };
  it.each<[string, unknown]>([
    ...['transaction_id', 'amount', 'currency'].flatMap((name): [string, unknown][] => [
      [name, undefined],
      [name, null],
      [name, {}],
      [name, []],
      [name, true],
    ]),
    ['transaction_id', 7.5],
    ['transaction_id', ''],
    ['transaction_id', long(256)],
    ['currency', ''],
    ['currency', long(21)],
    ...['amount', 'shipping', 'tax', 'discount'].flatMap((name): [string, unknown][] =>
      ['-1', -1, '1.001', 1.001, '+1', '1E5', ' 1', '123456789012345678901', '12345678901234567890.1', ''].map((value) => [name, value]),
    ),
    ['status', 'done'],
    ['status', 'processing'],
    ['status', 1],
    ['user_reference', long(101)],
    ['user_reference', -1],
    ['miniapp_order_id', long(256)],
    ['order_payment_id', long(256)],
    ['items', {}],
    ['items', [big]],
    ['customer', []],
    ['customer', big],
    ['custom_attributes', 'x'],
    ['custom_attributes', big],
    ['occurred_at', 1_700_000_000],
    ['occurred_at', '2026-01-02'],
    ['occurred_at', '2026-01-02T03:04:05'],
    ['occurred_at', '2026-02-30T03:04:05Z'],
    ['occurred_at', `2026-01-02T03:04:05.${'0'.repeat(64)}Z`],
  ])('refuses %s that is %j', async (name, value) => {
    const reply = await send(record({ [name]: value }));
    expect(code(reply)).toEqual([400, 'INVALID_INPUT']);
    expect(fieldsOf(reply).map((field) => field.path)).toEqual([name]);
    expect(await keptIds()).toEqual([]);
  });

  it('takes each field at its longest', async () => {
    const full = { text: long(65_536 - '{"text":""}'.length) };
    const ids = { transaction_id: '😀'.repeat(255), currency: 'ü'.repeat(20), miniapp_order_id: long(255), order_payment_id: long(255) };
    const reply = await send(record({ ...ids, user_reference: long(100), customer: full, custom_attributes: full }));
    expect(reply.status).toBe(200);
  });

  it.each([
    ['text', '"x"'],
    ['a number', '1'],
    ['null', 'null'],
    ['malformed', '{"transaction_id":'],
    ['a name twice', '{"transaction_id":"a","transaction_id":"a","amount":1,"currency":"USD"}'],
    ['NUL', '{"transaction_id":"a\\u0000","amount":1,"currency":"USD"}'],
    ['nothing', ''],
  ])('refuses a body that is %s', async (_what, body) => {
    expect(code(await send(body))).toEqual([400, 'PARSING_ERROR_INVALID_REQUEST_BODY']);
    expect(await keptIds()).toEqual([]);
  });

  it('refuses a body that is too large or not JSON', async () => {
    expect(code(await send(`[${'0,'.repeat(140_000)}0]`))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(code(await send('x', { 'Content-Type': 'text/plain' }))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});

describe('who may report', () => {
  it.each(['X-Hostapp-Client-Id', 'X-Miniapp-App-Id'])('nobody without %s', async (name) => {
    const reply = await service.call('POST', path, {
      body: { ...record(), client_id: pair.clientId, app_id: pair.appId },
      headers: without(name),
    });
    expect(code(reply)).toEqual([400, 'INVALID_INPUT']);
    expect(fieldsOf(reply)).toEqual([{ path: name, rule: 'required' }]);
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(65)],
    ['with a blank', 'host abc'],
    ['of another alphabet', 'host%00'],
    ['sent twice', 'a, b'],
  ])('nobody with an id that is %s', async (_what, id) => {
    for (const name of ['X-Hostapp-Client-Id', 'X-Miniapp-App-Id']) {
      const reply = await send(record(), { [name]: id });
      expect([...code(reply), fieldsOf(reply).length]).toEqual([400, 'INVALID_INPUT', 1]);
    }
    expect(await keptIds()).toEqual([]);
  });

  it('must know the Secret key of that miniapp', async () => {
    const other = await aPair(service);
    const wrong = await send(record(), basicOf(pair.appId, 'wrong'));
    const replies = [
      wrong,
      await service.call('POST', path, { body: record(), headers: without('Authorization') }),
      await send(record(), basicOf(other.appId, other.miniSecret)),
      await send(record(), basicOf(pair.clientId, pair.hostSecret)),
      await send(record(), { ...basicOf('app_nobody', 'x'), 'X-Miniapp-App-Id': 'app_nobody' }),
    ];
    for (const reply of replies) {
      expect([...code(reply), reply.headers.get('www-authenticate')]).toEqual([
        401,
        'ACCESS_DENIED',
        wrong.headers.get('www-authenticate'),
      ]);
      expect(reply.body.error_message).toBe(wrong.body.error_message);
    }
    expect(await keptIds()).toEqual([]);
  });

  const pairWith = (settings: PairSettings) => aPair(service, settings);

  it('needs Basic in every case, and a listed address if the allowlist is enabled', async () => {
    const listed = await pairWith({ miniapp: { ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8'] } } });
    expect((await send(record(), {}, listed)).status).toBe(200);
    expect((await send(record(), basicOf(listed.appId, 'wrong'), listed)).status).toBe(401);
    const elsewhere = await pairWith({ miniapp: { ip_whitelist: { enabled: true, addresses: ['203.0.113.0/24'] } } });
    expect(code(await send(record(), {}, elsewhere))).toEqual([403, 'NOT_A_WHITELISTED_IP']);
  });

  it('needs an accepted integration, and no feature', async () => {
    const none = { sso: false, payments: false, events: false };
    const off = await pairWith({ hostApp: { features: none }, miniapp: { features: none }, integration: { features: none } });
    expect((await send(record(), {}, off)).status).toBe(200);
    expect(code(await send(record(), {}, await pairWith({ integration: { status: 'suspended' } })))).toEqual([400, 'NO_INTEGRATION']);
    expect(code(await send(record(), {}, await pairWith({ integration: null })))).toEqual([400, 'NO_INTEGRATION']);
    expect(code(await send(record(), { 'X-Hostapp-Client-Id': 'host_nobody' }))).toEqual([400, 'HOSTAPP_NOT_FOUND']);
  });
});

describe('the read side', () => {
  it('pages through lists and sums', async () => {
    await send(['a', 'b', 'c'].map((id, i) => record({ transaction_id: id, occurred_at: `2026-01-0${i + 1}T00:00:00Z` })));
    for (const call of ['transactions', 'summary']) {
      const first = await query(call, pair, { limit: '2' });
      expect([first.status, first.body.data.length]).toEqual([200, 2]);
      const rest = await query(call, pair, { limit: '2', cursor: first.body.next_cursor });
      expect([rest.status, rest.body.data.length, rest.body.next_cursor]).toEqual([200, 1, null]);
    }
    expect((await query('summary', pair, { from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z' })).body.data).toEqual([
      {
        ...{ day: '2026-01-02', client_id: pair.clientId, app_id: pair.appId, currency: 'USD', status: 'paid' },
        ...{ count: 1, amount: '1.10', shipping: '0.00', tax: '0.00', discount: '0.00' },
      },
    ]);
  });

  it('sums up each day, reported and relayed', async () => {
    await send([record({ transaction_id: 'a', occurred_at: '2026-01-02T00:00:00Z' })]);
    const { status, body } = await query('days', pair, { from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z' });
    const [reported, relayed] = [
      { count: 1, amount: '1.10' },
      { count: 0, amount: '0.00' },
    ];
    expect([status, body.data]).toEqual([200, [{ day: '2026-01-02', currency: 'USD', reported, relayed, difference: '1.10' }]]);
  });

  it('shows what the miniapp reports and the relay never saw', async () => {
    await send([record({ order_payment_id: 'op-unknown' }), record({ transaction_id: 'tx-2' })]);
    const { status, body } = await query('differences', pair);
    expect([status, body]).toEqual([
      200,
      {
        data: [
          {
            kind: 'only_reported',
            order_payment_id: 'op-unknown',
            transaction_id: 'tx-1',
            differs: [],
            reported: { status: 'paid', amount: '1.10', currency: 'USD', at: expect.any(String) },
          },
        ],
        next_cursor: null,
      },
    ]);
    expect((await query('differences', pair, { kind: 'only_seen' })).body.data).toEqual([]);
  });

  it('compares within one integration that there is', async () => {
    const incomplete = await service.manage('GET', `analytics/differences?client_id=${pair.clientId}`);
    expect([incomplete.status, incomplete.body.errors]).toEqual([400, [{ path: 'app_id', rule: 'is required' }]]);
    const unknown = await service.manage('GET', `analytics/differences?client_id=${pair.clientId}&app_id=app_nobody`);
    expect([unknown.status, unknown.body.type]).toEqual([404, 'urn:pierhead:problem:not-found']);
  });

  it.each(['transactions?from=yesterday', 'transactions?user=1', 'summary?status=paid', 'differences?kind=none', 'summary?limit=0'])(
    'refuses %s',
    async (incoming) => {
      const { status, body } = await service.manage('GET', `analytics/${incoming}`);
      expect([status, body.type, body.errors.length]).toEqual([400, 'urn:pierhead:problem:invalid-content', 1]);
    },
  );

  it('takes nothing but GET', async () => {
    for (const call of ['transactions', 'summary', 'differences']) {
      expect((await service.manage('POST', `analytics/${call}`, {})).status).toBe(405);
    }
  });
});
