import { join } from 'node:path';
import { end, startListening } from '../child-process';
import { LoadDriver, paceOf, type LoadTool } from './load-driver';
import type { PreparedRequest } from '../calls/prepared-calls';

const request = (path: string, headers: Record<string, string> = {}): PreparedRequest => ({
  ...{ method: 'POST', path, headers: { 'content-type': 'application/json', ...headers } },
  body: '{"user_data":{"reference":"u1"}}',
});

/** What each tool that makes the load has to do. */
export function describeLoad(tool: LoadTool): void {
  describe(`the load by ${tool}`, () => {
    const driver = LoadDriver.start(tool);
    let stub: Awaited<ReturnType<typeof startListening>>;

    beforeAll(async () => (stub = await startListening(join(__dirname, '../stub-partners.cjs'))));
    afterAll(() => Promise.all([driver.stop(), end(stub.child)]));

    it('sends each request once over all connections, and the partners count distinct ones', async () => {
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

    it('sends them in turns for the given time', async () => {
      const figures = await driver.run({ url: stub.url, requests: [request('/auth'), request('/nowhere')], connections: 2, seconds: 1 });
      const { 200: ok = 0, 404: others = 0 } = figures.statuses;
      expect(figures).toMatchObject({ requests: ok + others, ok, broken: 0 });
      expect(Math.min(ok, others)).toBeGreaterThan(2);
      expect(figures.endedAt - figures.startedAt).toBeGreaterThan(500);
    });

    it('keeps an even rate', async () => {
      const figures = await driver.run({ url: stub.url, requests: [request('/auth')], connections: 8, seconds: 0.3, perSecond: 100 });
      expect(figures).toMatchObject({ requests: 30, ok: 30, broken: 0 });
    });

    it('leaves out what opens the connections', async () => {
      const pace = { connections: 8, seconds: 0.3, perSecond: 100, leadInS: 0.2 };
      const figures = await driver.run({ url: stub.url, requests: [request('/auth')], ...pace });
      expect(figures).toMatchObject({ broken: 0, statuses: { 200: figures.requests } });
      expect(figures.requests).toBeLessThan(30);
      expect(figures.requests).toBeGreaterThan(0);
    });

    it('runs a second load beside the first, and reports both second by second', async () => {
      const job = { url: stub.url, requests: [request('/auth')], connections: 8, seconds: 1.3, perSecond: 100 };
      const figures = await driver.runBoth(job, { url: stub.url, requests: [request('/nowhere')], perSecond: 50 });
      expect(figures).toMatchObject({ requests: 130, ok: 130, broken: 0 });
      expect(figures.beside).toMatchObject({ requests: 65, ok: 0, statuses: { 404: 65 }, broken: 0 });
      for (const { bySecond, p99 } of [figures, figures.beside]) {
        expect(bySecond).toHaveLength(2);
        for (const second of bySecond) expect(second.p50).toBeGreaterThan(0);
        expect(Math.max(...bySecond.map((second) => second.p99))).toBeGreaterThanOrEqual(p99);
      }
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
  });
}
