import type { OpenServer } from '../../../src/sandbox/open-server';
import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import { until } from '../../support/service/service';
import { basic, call } from './call';

const ids = { 'X-Hostapp-Client-ID': 'host_abc123def456', 'X-Miniapp-App-ID': 'app_abc123' };
const event = { app_id: 'app_abc123', client_id: 'host_abc123def456', event_type: 'cart.changed', payload: {} };
const off = { delay_ms: 0, error_percent: 0, malformed_percent: 0, refused_percent: 0, hang_percent: 0 };

describe.each([
  ['host app', () => new SandboxHostApp(), 'host_abc123def456'],
  ['miniapp', () => new SandboxMiniapp(), 'app_abc123'],
] as const)('the fault dials of the sandbox %s', (_name, make, ownId) => {
  let server: OpenServer;
  beforeEach(async () => {
    const partner = make();
    partner.trust({ user: ownId, secret: 's3cret', ownId });
    server = await partner.start({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => server.close());

  const turn = (dials: object) => call(`${server.url}/sandbox/dials`, { method: 'PUT', body: dials });
  const notify = () => call(`${server.url}/events`, { headers: { ...ids, Authorization: basic(ownId, 's3cret') }, body: event });
  const seen = async (path: string) => (await call(`${server.url}/sandbox/${path}`)).json['data'] as unknown[];

  it('start at 0, show the values that were set, and reset those that are left out', async () => {
    expect((await call(`${server.url}/sandbox/dials`)).json).toEqual(off);
    expect((await turn({ delay_ms: 5, error_percent: 12.5, seed: 7 })).json).toEqual({ ...off, delay_ms: 5, error_percent: 12.5, seed: 7 });
    expect((await turn({})).json).toEqual(off);
  });

  it.each<[string, object, number, RegExp]>([
    ['an error', { error_percent: 100 }, 500, /^\{"error_code":"UNKNOWN_ERROR"/],
    ['broken JSON', { malformed_percent: 100 }, 200, /^\{"sandbox":[^}]*$/],
    ['a refusal', { refused_percent: 100 }, 401, /^\{"error_code":"ACCESS_DENIED"/],
  ])("answer the service with %s, but the sandbox's own calls as always", async (_what, dials, status, text) => {
    await turn(dials);
    const raw = await fetch(`${server.url}/events`, { method: 'POST' });
    expect([raw.status, await raw.text()]).toEqual([status, expect.stringMatching(text)]);
    expect(await seen('events')).toEqual([]);
    expect((await call(`${server.url}/sandbox/dials`)).status).toBe(200);
  });

  it('delay the answer, or let the call hang until the caller gives up', async () => {
    await turn({ delay_ms: 60 });
    const began = performance.now();
    expect((await notify()).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(55);
    await turn({ hang_percent: 100 });
    await expect(fetch(`${server.url}/events`, { method: 'POST', signal: AbortSignal.timeout(80) })).rejects.toThrow('timeout');
    // That the caller has gone is known a moment later.
    expect(
      await until(
        () => seen('calls'),
        ({ length }) => length === 2,
      ),
    ).toMatchObject([{ status: 200 }, { status: 0 }]);
  });

  it('give the same faults in the same order for the same seed, about as often as set', async () => {
    const faults = async (): Promise<number[]> => {
      await turn({ error_percent: 30, refused_percent: 20, seed: 42 });
      const statuses: number[] = [];
      for (let i = 0; i < 40; i++) statuses.push((await notify()).status);
      return statuses;
    };
    const first = await faults();
    expect(await faults()).toEqual(first);
    const count = (status: number) => first.filter((one) => one === status).length;
    expect(count(500)).toBeGreaterThan(6);
    expect(count(401)).toBeGreaterThan(3);
    expect(count(200)).toBeGreaterThan(10);
  });

  it.each<[string, object, string]>([
    ['more than a hundred together', { error_percent: 60, hang_percent: 41 }, 'the percentages add up to 101'],
    ['more than a minute', { delay_ms: 60_001 }, 'delay_ms: must be a whole number from 0 to 60000'],
    ['less than nothing', { error_percent: -1 }, 'error_percent: must be a number from 0 to 100'],
    ['text for a number', { refused_percent: '10' }, 'refused_percent: must be a number'],
    ['a seed that is no whole number', { seed: 1.5 }, 'seed: must be a whole number'],
    ['a dial that is not there', { errors: 10, error_percent: 101 }, 'errors: is no dial'],
  ])('refuse %s and stay as they are', async (_what, dials, message) => {
    await turn({ malformed_percent: 1 });
    const answer = await turn(dials);
    expect(answer).toMatchObject({ status: 400, json: { error_code: 'INVALID_INPUT', error_message: expect.stringContaining(message) } });
    expect((await call(`${server.url}/sandbox/dials`)).json).toEqual({ ...off, malformed_percent: 1 });
  });

  it('are reset to 0 together with the recorded calls', async () => {
    await turn({ error_percent: 50, seed: 1 });
    await turn({});
    await notify();
    await turn({ hang_percent: 100 });
    expect([(await seen('calls')).length, (await seen('events')).length]).toEqual([1, 1]);
    expect(await call(`${server.url}/sandbox/reset`, { method: 'POST' })).toMatchObject({ status: 200, json: { reset: true } });
    expect([await seen('calls'), await seen('events')]).toEqual([[], []]);
    expect((await call(`${server.url}/sandbox/dials`)).json).toEqual(off);
  });
});
