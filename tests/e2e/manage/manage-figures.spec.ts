import { PostgresExchangeLog } from '../../../src/adapters/out/postgres/exchanges/postgres-exchange-log';
import { fourHours, figuresBegin } from '../../contract/figures/figures.contract';
import { anExchange } from '../../contract/exchanges/exchange-log.contract';
import { testManageApi } from '../../support/service/manage-api';

const iso = (at: number): string => new Date(at).toISOString();

describe('/manage/v1/figures', () => {
  const api = testManageApi();
  const range = `from=${iso(figuresBegin)}&to=${iso(figuresBegin + 14_400_000)}`;

  beforeAll(async () => {
    const log = new PostgresExchangeLog({ db: api.db, log: api.deps.log });
    for (const exchange of fourHours()) log.append(exchange);
    log.append(anExchange(900, { at: figuresBegin, status: 401, errorCode: 'INVALID_SIGNATURE' }));
    log.append(anExchange(901, { at: figuresBegin, status: 500, errorCode: 'UNKNOWN_ERROR', failedSide: 'platform' }));
    await log.close();
  }, 60_000);

  it('shows traffic by outcome, in slots that fit the range', async () => {
    const { body } = await api.get(`figures/traffic?${range}`);
    expect(body).toMatchObject({ from: iso(figuresBegin), to: iso(figuresBegin + 14_400_000), slot_s: 300 });
    expect(body.data).toHaveLength(48);
    expect(body.data[0]).toEqual({ at: iso(figuresBegin), ok: 4, partner_error: 1, refused: 1, platform_error: 1 });
  });

  it("shows percentiles, and each side's share of the time", async () => {
    const { body } = await api.get(`figures/latency?${range}&app_id=app_1`);
    expect(body.whole.count).toBe(122);
    expect(Math.abs(body.whole.p50 - 130) / 130).toBeLessThan(0.06);
    const { platform, host_app, miniapp, mean } = body.whole as Record<string, number>;
    expect(platform! + host_app! + miniapp!).toBeCloseTo(mean!, 0);
  });

  it('shows statuses, failures, refusals and the spread', async () => {
    const { body: errors } = await api.get(`figures/errors?${range}`);
    expect(errors.statuses.map(({ status, count }: { status: number; count: number }) => [status, count])).toEqual([
      [200, 216],
      [502, 24],
      [401, 1],
      [500, 1],
    ]);
    expect(errors.failures[0]).toEqual({
      ...{ outcome: 'partner_error', error_code: 'FAILED_TO_PARSE_RESPONSE', failed_side: 'miniapp' },
      ...{ failed_step: 'miniapp_token', count: 24 },
    });
    expect((await api.get(`figures/refusals?${range}`)).body.data[0]).toMatchObject({
      basic: 0,
      signature: 1,
      address: 0,
      feature: 0,
      other: 0,
    });
    const cells = (await api.get(`figures/spread?${range}`)).body.data as { count: number }[];
    expect(cells.reduce((all, { count }) => all + count, 0)).toBe(242);
  });

  it('tells the outcomes of each call', async () => {
    const { body } = await api.get(`figures/calls?${range}`);
    expect(body.data).toHaveLength(2);
    expect(body.data).toEqual(expect.arrayContaining([{ call: 'authorize', ok: 72, partner_error: 8, refused: 0, platform_error: 0 }]));
  });

  interface Pair {
    readonly app_id: string;
    readonly ok: number;
    readonly series: readonly { readonly at: string; readonly ok: number }[];
  }

  it('compares integrations, the busiest first, each with its own series', async () => {
    const { body } = await api.get(`figures/integrations?${range}`);
    expect(body.data.map(({ app_id, ok }: Pair) => [app_id, ok])).toEqual([
      ['app_1', 120],
      ['app_2', 96],
    ]);
    expect(body).toMatchObject({ slot_s: 300, series_slot_s: 600, total: 2, next_cursor: null });
    for (const { series, ok } of body.data as Pair[]) {
      expect([series.length, series[1]?.at]).toEqual([24, iso(figuresBegin + 600_000)]);
      expect(series.reduce((all, slot) => all + slot.ok, 0)).toBe(ok);
    }
  });

  it.each([
    ['traffic', ['app_1', 'app_2']],
    ['failures', ['app_2', 'app_1']],
    ['id', ['app_1', 'app_2']],
  ])('comes to each integration by %s, a page at a time', async (order, apps) => {
    const first = await api.get(`figures/integrations?${range}&order=${order}&limit=1`);
    expect(first.body).toMatchObject({ total: 2, data: [{ app_id: apps[0] }], next_cursor: `host_1/${apps[0]}` });
    const second = await api.get(`figures/integrations?${range}&order=${order}&limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ total: 2, data: [{ app_id: apps[1] }], next_cursor: null });
  });

  it.each([
    ['a range that is too long', `from=${iso(figuresBegin)}&to=${iso(figuresBegin + 32 * 86_400_000)}`, 'from'],
    ['a range that ends before it begins', `from=${iso(figuresBegin)}&to=${iso(figuresBegin - 1)}`, 'from'],
    ['a cursor', 'cursor=x', 'cursor'],
    ['what is no time', 'from=now', 'from'],
  ])('refuses %s', async (_what, query, path) => {
    const { status, body } = await api.get(`figures/traffic?${query}`);
    expect([status, body.errors[0].path]).toEqual([400, path]);
  });
});
