import { testManageApi, operatorToken } from '../../support/service/manage-api';
import { PostgresExchangeLog } from '../../../src/adapters/out/postgres/exchanges/postgres-exchange-log';
import { anExchange } from '../../contract/exchanges/exchange-log.contract';
import { CollectingLog } from '../../support/collecting-log';

const api = testManageApi();

const write = async (number: number, more: object): Promise<void> => {
  const log = new PostgresExchangeLog({ db: api.db, log: new CollectingLog() });
  log.append({ ...anExchange(number), at: api.clock.now() - 1000, ...more });
  await log.close();
};

describe('GET search', () => {
  it('finds a request by its id and by its request id, once each', async () => {
    await write(1, { requestId: 'req-7', clientId: 'h1', appId: 'm1' });
    const byRequest = await api.get('search?q=req-7');
    expect(byRequest.body.data).toMatchObject([{ kind: 'exchange', id: 'ex_000001', by: 'request id', client_id: 'h1', app_id: 'm1' }]);
    expect((await api.get('search?q=ex_000001')).body.data).toMatchObject([{ kind: 'exchange', by: 'id' }]);
  });

  it('finds a host app, and nothing where nothing has the id', async () => {
    const { body } = await api.post('host-apps', { name: 'Harbour' });
    expect((await api.get(`search?q=${String(body.client_id)}`)).body.data).toEqual([
      { kind: 'host_app', id: body.client_id, by: 'client id', client_id: body.client_id },
    ]);
    for (const q of ['nobody', 'a%20b%2F%27%25', '%E7%94%B1']) expect((await api.get(`search?q=${q}`)).body).toEqual({ data: [] });
  });

  it.each(['%00', 'a%00b', '%ED%A0%80', '%FF', '%C3'])('refuses what no column can hold: %s', async (q) => {
    const { status, body } = await api.get(`search?q=${q}`);
    expect([status, body.type]).toEqual([400, 'urn:pierhead:problem:invalid-content']);
  });

  it('wants an id of 1 to 255 characters, and nothing else', async () => {
    for (const query of ['', '?q=', `?q=${'x'.repeat(256)}`, '?q=a&kind=user']) {
      expect((await api.get(`search${query}`)).status).toBe(400);
    }
  });
});

describe('GET live', () => {
  const listen = async () => {
    const end = new AbortController();
    const headers = { authorization: `Bearer ${operatorToken}` };
    const response = await fetch(`${api.base}/manage/v1/live`, { headers, signal: end.signal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let streamed = '';
    const readUntil = async (text: string): Promise<void> => {
      while (!streamed.includes(text)) streamed += (await reader.read()).value ?? '';
    };
    return { response, readUntil, end };
  };

  it('tells of a change within seconds', async () => {
    const { response, readUntil, end } = await listen();
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    await readUntil(': listening\n\n');
    // The first reading finds the existing rows, and reports none.
    await api.deps.eventStreamHub.poll();
    await api.post('miniapps', { name: 'Ferries' });
    await readUntil('event: changed\ndata: {"topics":["audit","integrations"]}\n\n');
    end.abort();
  }, 20_000);

  it('is for those who are signed in, and takes no parameters', async () => {
    expect((await fetch(`${api.base}/manage/v1/live`)).status).toBe(401);
    expect((await api.get('live?topic=audit')).status).toBe(400);
  });
});
