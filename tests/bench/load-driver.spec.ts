import { join } from 'node:path';
import { end, startListening } from './child-process';
import { LoadDriver, paceOf } from './load-driver';
import type { PreparedRequest } from './prepared-calls';
import { cpuMsOfTree, residentMb, treeOf } from './process-cost';

const request = (path: string, headers: Record<string, string> = {}): PreparedRequest => ({
  ...{ method: 'POST', path, headers: { 'content-type': 'application/json', ...headers } },
  body: '{"user_data":{"reference":"u1"}}',
});

describe('the load', () => {
  const driver = LoadDriver.start();
  let stub: Awaited<ReturnType<typeof startListening>>;

  beforeAll(async () => (stub = await startListening(join(__dirname, 'stub-partners.cjs'))));
  afterAll(() => Promise.all([driver.stop(), end(stub.child)]));

  it('sends each request once, over all connections, and the partners count what is different', async () => {
    const requests = Array.from({ length: 101 }, (_, n) => request('/webhook', { 'webhook-id': `d-${n}` }));
    const figures = await driver.run({ url: stub.url, requests, connections: 8, once: true });
    expect(figures).toMatchObject({ requests: 101, ok: 101, broken: 0, statuses: { 200: 101 } });
    expect(figures.p99).toBeGreaterThanOrEqual(figures.p50);
    expect(paceOf(figures)).toBeGreaterThan(0);
    expect(await (await fetch(`${stub.url}/received`)).json()).toEqual({ received: 101, distinct: 101, lastAt: expect.any(Number) });
  });

  it('tells answers other than 200 apart', async () => {
    const figures = await driver.run({ url: stub.url, requests: [request('/nowhere'), request('/auth')], connections: 1, once: true });
    expect(figures).toMatchObject({ requests: 2, ok: 1, statuses: { 200: 1, 404: 1 } });
  });

  it('keeps an even rate', async () => {
    const figures = await driver.run({ url: stub.url, requests: [request('/auth')], connections: 8, seconds: 0.3, perSecond: 100 });
    expect(figures).toMatchObject({ requests: 30, ok: 30, broken: 0 });
  });

  it('tells calls without an answer', async () => {
    const figures = await driver.run({
      url: 'http://127.0.0.1:9',
      requests: [request('/auth')],
      connections: 8,
      seconds: 0.05,
      perSecond: 100,
    });
    expect(figures).toMatchObject({ requests: 0, ok: 0, broken: 5 });
  });

  it('goes through the floor to the partner', async () => {
    const floor = await startListening(join(__dirname, 'relay.cjs'), [String(stub.port)]);
    const answer = await fetch(floor.url, { method: 'POST', body: request('/').body });
    expect(await answer.json()).toEqual({ token: 'mini-token', refresh_token: 'mini-refresh' });
    await end(floor.child);
  });
});

it('what a process costs is read with what it has started', () => {
  expect(treeOf(process.pid)[0]).toBe(process.pid);
  expect(cpuMsOfTree(process.pid)).toBeGreaterThan(0);
  expect(residentMb(process.pid)).toBeGreaterThan(10);
  expect(cpuMsOfTree(2 ** 22 + 1)).toBe(0);
});
