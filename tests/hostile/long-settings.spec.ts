import { operatorToken } from '../support/service/service';
import { maxTurnMs, medianTurn } from './longest-turn';
import { rawCall, type RawAnswer } from './raw-call';
import { startWatched, type WatchedService } from './watched-service';

const hostApps = 200;
/** An allowlist that is as long as one may be. */
const addresses = Array.from({ length: 1000 }, (_, i) => `2001:0db8:${(i + 4096).toString(16)}:0000:0000:0000:0000:0000/64`);

let service: WatchedService;
beforeAll(async () => {
  service = await startWatched(process.env['HOSTILE_BUILD']);
  for (let n = 0; n < hostApps; n++) {
    const made = await manage('POST', 'host-apps', { name: `Host ${String(n)}`, ip_whitelist: { enabled: true, addresses } });
    expect(made).toMatchObject({ status: 201 });
  }
}, 120_000);
afterAll(() => service.stop());

const manage = (method: string, target: string, body?: object): Promise<RawAnswer> =>
  rawCall(service.port, {
    ...{ method, target: `/manage/v1/${target}`, body: Buffer.from(body === undefined ? '' : JSON.stringify(body)) },
    headers: Object.entries({ Authorization: `Bearer ${operatorToken}`, ...(body && { 'Content-Type': 'application/json' }) }),
  });

it('a list of 200 host apps with 1,000 addresses each takes no turn of 50 ms of processor time', async () => {
  const { ms, result } = await medianTurn(service, () => manage('GET', `host-apps?limit=${String(hostApps)}`));
  const { data, next_cursor: cursor } = JSON.parse(result.body) as {
    data: { ip_whitelist: { addresses: string[] } }[];
    next_cursor: unknown;
  };
  expect([data.length, data[0]?.ip_whitelist.addresses.length, cursor]).toEqual([hostApps, addresses.length, null]);
  expect(ms).toBeLessThanOrEqual(maxTurnMs);
}, 120_000);
