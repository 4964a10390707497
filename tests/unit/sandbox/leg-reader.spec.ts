import { LegReader, type ReadParties } from '../../../src/sandbox/playground/leg-reader';
import type { ManageAnswer, ManageCalls } from '../../../src/sandbox/manage-calls';
import type { ShownDelivery, ShownExchange } from '../../../src/sandbox/manage-records';
import type { PlaygroundLeg } from '../../../src/sandbox/playground/playground-leg';

const start = Date.parse('2026-03-01T10:00:00.000Z');
const at = (ms: number): string => new Date(start + ms).toISOString();
const parties: ReadParties = {
  clientId: 'host_1',
  apps: new Map([
    ['app_1', undefined],
    ['app_2', 'HMAC'],
  ]),
};

/** The manage API's lists, as they stand. */
class Records implements Pick<ManageCalls, 'send'> {
  exchanges: ShownExchange[] = [];
  deliveries: ShownDelivery[] = [];
  readonly paths: string[] = [];

  async send(_method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string): Promise<ManageAnswer> {
    this.paths.push(path);
    const [, id] = /^deliveries\/(\w+)$/.exec(path) ?? [];
    if (id !== undefined) return { status: 200, body: this.deliveries.find((one) => one.id === id) };
    return { status: 200, body: { data: path.startsWith('exchanges') ? this.exchanges : this.deliveries } };
  }
}

const delivery = (createdMs: number, attempts: number): ShownDelivery => ({
  ...{
    id: 'd1',
    app_id: 'app_1',
    kind: 'completion',
    receiver: 'miniapp',
    state: 'ready',
    attempt_count: attempts,
    created_at: at(createdMs),
  },
  attempts: Array.from({ length: attempts }, (_, i) => ({ reason: 'schedule', at: at(300 + i), ms: 4, status: 500 })),
});

describe('the reader of legs', () => {
  const page = (leg: Partial<PlaygroundLeg>) => ({
    since: () => [{ at: start + 100, call: 'POST /shop/orders', ...leg } as PlaygroundLeg],
  });
  const callsOf = async (reader: LegReader, from = start): Promise<string[]> => (await reader.since(from)).map(({ call }) => call);

  it('sorts the calls of pages, partners and deliveries by time', async () => {
    const records = new Records();
    const exchange = {
      id: 'e1',
      request_id: 'r',
      app_id: 'app_1',
      call: 'create_order_payment',
      at: at(200),
      ms: 9,
      status: 200,
      checks: [],
    };
    records.exchanges = [{ ...exchange, legs: [{ to: 'hostapp', step: 'create', attempt: 1, started_at: at(200), ms: 3 }] }];
    records.deliveries = [delivery(250, 1)];
    const reader = new LegReader(records, parties, [page({})]);
    expect(await callsOf(reader)).toEqual([
      'POST /shop/orders',
      'POST /api/v1/orders/create-order-payment/',
      'POST /payments',
      'POST /webhook',
    ]);
  });

  it('shows the calls of its own miniapps, and which of them are signed', async () => {
    const records = new Records();
    const exchange = (appId: string): ShownExchange => ({
      ...{ id: appId, request_id: 'r', app_id: appId, call: 'create_order_payment', at: at(200), ms: 9, status: 200 },
      ...{ checks: ['signature'], legs: [] },
    });
    records.exchanges = ['app_1', 'app_2', 'app_3'].map(exchange);
    records.deliveries = [
      { ...delivery(10, 1), app_id: 'app_2' },
      { ...delivery(10, 1), id: 'd3', app_id: 'app_3' },
    ];
    const legs = await new LegReader(records, parties, []).since(start);
    expect(legs.map(({ id, proof }) => [id, proof])).toEqual([
      ['app_1', undefined],
      ['app_2', 'signed (HMAC)'],
      ['d1.0', 'signed (HMAC)'],
    ]);
  });

  it('reads the attempts of a delivery only if there is a new one', async () => {
    const records = new Records();
    const reader = new LegReader(records, parties, []);
    const histories = () => records.paths.filter((path) => path === 'deliveries/d1').length;
    records.deliveries = [delivery(10, 0)];
    expect([await callsOf(reader), histories()]).toEqual([[], 0]);
    records.deliveries = [delivery(10, 1)];
    await reader.since(start);
    expect([await callsOf(reader), histories()]).toEqual([['POST /webhook'], 1]);
    records.deliveries = [delivery(10, 2)];
    expect([await callsOf(reader), histories()]).toEqual([['POST /webhook', 'POST /webhook'], 2]);
  });

  it('gives every leg the time of the clock, also when the clock is moved ahead', async () => {
    const records = new Records();
    let ahead = 0;
    const reader = new LegReader(records, parties, [page({ id: 'page' })], () => ahead);
    const times = async () => (await reader.since(start)).map(({ id, at: time }) => [id, time - start]);
    records.deliveries = [delivery(10, 1)];
    expect(await times()).toEqual([
      ['page', 100],
      ['d1.0', 300],
    ]);
    ahead = 60_000;
    const [first] = delivery(10, 1).attempts;
    const moved = { ...first!, at: at(300 - ahead) };
    records.deliveries = [{ ...delivery(10 - ahead, 2), attempts: [moved, { ...first!, at: at(400) }] }];
    expect(await times()).toEqual([
      ['page', 100],
      ['d1.0', 300],
      ['d1.1', 60_400],
    ]);
  });

  it('leaves out deliveries that were pending before', async () => {
    const records = new Records();
    const reader = new LegReader(records, parties, []);
    records.deliveries = [delivery(-5, 1)];
    expect(await callsOf(reader)).toEqual([]);
    const other = new LegReader(records, parties, []);
    records.deliveries = [delivery(5, 1)];
    expect(await callsOf(other)).toEqual(['POST /webhook']);
    records.deliveries = [delivery(-7_200_000, 2)];
    expect(await callsOf(other)).toHaveLength(2);
  });
});
