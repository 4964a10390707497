import { PostgresExchangeLog } from '../../../src/adapters/out/postgres/exchanges/postgres-exchange-log';
import { anExchange } from '../../contract/exchanges/exchange-log.contract';
import { testManageApi } from '../../support/service/manage-api';

const minuteMs = 60_000;

describe('/manage/v1/problems', () => {
  const api = testManageApi();
  let now: number;
  beforeAll(async () => {
    now = api.clock.now();
    const log = new PostgresExchangeLog({ db: api.db, log: api.deps.log });
    const garbled = { status: 502, errorCode: 'FAILED_TO_PARSE_RESPONSE', failedSide: 'miniapp', failedStep: 'miniapp_token' } as const;
    const leg = {
      to: 'miniapp',
      step: 'miniapp_token',
      attempt: 1,
      startedAt: now,
      ms: 4,
      status: 200,
      errorCode: 'FAILED_TO_PARSE_RESPONSE',
    } as const;
    for (let i = 0; i < 5; i++) log.append(anExchange(i, { ...garbled, at: now - (5 - i) * minuteMs, legs: [leg] }));
    for (let i = 5; i < 8; i++)
      log.append(anExchange(i, { at: now - 180 * minuteMs, status: 401, errorCode: 'INVALID_SIGNATURE', appId: 'app_2' }));
    log.append(anExchange(9, { at: now - 170 * minuteMs, appId: 'app_2' }));
    await log.close();
  }, 60_000);
  const list = async () => (await api.get('problems')).body.data as Record<string, unknown>[];

  it('groups failures by cause, with the side that has to act and an exchange as example', async () => {
    const [open, past, ...others] = await list();
    expect(others).toEqual([]);
    expect(open).toMatchObject({
      ...{
        error_code: 'FAILED_TO_PARSE_RESPONSE',
        failed_side: 'miniapp',
        failed_step: 'miniapp_token',
        client_id: 'host_1',
        app_id: 'app_1',
      },
      ...{ state: 'open', count: 5, acts: 'miniapp', exchange_id: 'ex_000004', calls: ['connect'] },
      ...{ first_at: new Date(now - 5 * minuteMs).toISOString(), last_at: new Date(now - minuteMs).toISOString() },
    });
    expect(String(open?.['sentence'])).toMatch(/miniapp/i);
    expect(past).toMatchObject({ error_code: 'INVALID_SIGNATURE', state: 'past', count: 3, acts: 'hostapp' });
  });

  it('mutes one with a reason and brings it back, both in the audit trail', async () => {
    const key = {
      error_code: 'FAILED_TO_PARSE_RESPONSE',
      failed_side: 'miniapp',
      failed_step: 'miniapp_token',
      client_id: 'host_1',
      app_id: 'app_1',
    };
    expect((await api.post('problems/mute', key)).body.errors).toEqual([{ path: 'reason', rule: 'is required' }]);
    expect((await api.post('problems/mute', { ...key, reason: 'being mended' })).status).toBe(204);
    expect((await list()).find(({ state }) => state === 'muted')).toMatchObject({
      ...key,
      muted: { by: 'operator', reason: 'being mended' },
    });
    expect((await api.post('problems/unmute', key)).status).toBe(204);
    expect((await api.post('problems/unmute', key)).status).toBe(404);
    expect((await list()).some(({ state }) => state === 'muted')).toBe(false);
    const actions = (await api.auditRows()).map(({ action, after }) => [action, after?.['reason']]);
    expect(actions).toEqual([
      ['problem.muted', 'being mended'],
      ['problem.unmuted', undefined],
    ]);
  });

  it('lists credentials that end', async () => {
    expect((await api.get('ending-credentials?days=30')).body).toEqual({ data: [] });
    expect((await api.get('ending-credentials?days=0')).status).toBe(400);
  });
});
