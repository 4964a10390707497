import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { resolve } from '../../../src/composition/tokens/token';
import { T } from '../../../src/composition/tokens/tokens';
import { basicOf } from '../../support/signatures/a-pair';
import {
  aRotatingPair,
  guard,
  hasHmac,
  hasKeySignature,
  publicBaseUrl,
  signedHeaders,
  signing,
  type RotatingPair,
} from '../../support/partners/rotating-partners';
import { sealCbc } from '../../support/signatures/sealed-payload';
import { startTestService, type Reply, type TestService } from '../../support/service/service';

let service: TestService;
const pairs: RotatingPair[] = [];
beforeAll(async () => {
  service = await startTestService({ env: { PUBLIC_BASE_URL: publicBaseUrl } });
}, 30_000);
afterAll(async () => {
  await service.close();
  await Promise.all(pairs.flatMap(({ hostApp, miniapp }) => [hostApp.stop(), miniapp.stop()]));
});

const pairWith = async (settings: Parameters<typeof aRotatingPair>[1]): Promise<RotatingPair> => {
  const pair = await aRotatingPair(service.url, settings);
  pairs.push(pair);
  return pair;
};
const secret = 'a-shared-secret-of-more-than-32-bytes';
const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString();
const ids = ({ clientId, appId }: RotatingPair, more: object) => JSON.stringify({ client_id: clientId, app_id: appId, ...more });
const event = (pair: RotatingPair, key: string | KeyObject): Promise<Reply> => {
  const [path, body] = ['/api/v1/events/miniapp/', ids(pair, { event_type: 'ping', payload: {} })];
  return service.call('POST', path, { headers: signedHeaders(path, body, key), body });
};
const connect = (pair: RotatingPair, key = pair.hostSecret): Promise<Reply> =>
  service.call('POST', '/api/v1/connect/', {
    headers: basicOf(pair.clientId, key),
    body: ids(pair, { user_data: { reference: 'user-1', email: 'a@example.com' } }),
  });
const manage = async (method: string, path: string, body?: object): Promise<Reply> => {
  const reply = await service.manage(method, path, body);
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
  return reply;
};

it('changes from a shared secret to keys without losing a call in either direction', async () => {
  const pair = await pairWith({ miniapp: signing('HMAC', { hmac_secret: secret }) });
  const theirs = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const app = `miniapps/${pair.appId}`;
  const url = `${pair.miniapp.url}/auth`;

  await manage('POST', `${app}/rotate`, { credential: 'partner_public_key', value: pem(theirs.publicKey) });
  const made = await manage('POST', `${app}/rotate`, { credential: 'platform_key', algorithm: 'ECDSA' });
  const ours = String(made.body.credentials.platform_key.current.public_key);
  const met = { hmac: 0, key: 0, none: 0 };
  guard(pair.miniapp, '/auth', (received) => {
    const by = hasHmac(received, url)(secret) ? 'hmac' : hasKeySignature(received, url)(ours) ? 'key' : 'none';
    met[by]++;
    return by !== 'none';
  });

  // As the guide says: a refused caller signs again in the other way, since nothing has happened.
  const secrets: (string | KeyObject)[] = [secret, theirs.privateKey];
  let refusals = 0;
  const persistent = async (): Promise<number> => {
    const reply = await event(pair, secrets[0]!);
    if (reply.body?.error_code !== 'INVALID_SIGNATURE' && reply.body?.error_code !== 'SIGNATURE_VALIDATION_ERROR') return reply.status;
    refusals++;
    secrets.reverse();
    return (await event(pair, secrets[0]!)).status;
  };
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++) {
    if (i === 10) await manage('PATCH', app, { signature: { algorithm: 'ECDSA' } });
    statuses.push(await persistent(), (await connect(pair)).status);
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect([refusals, met]).toEqual([1, { hmac: 10, key: 10, none: 0 }]);
  expect(await event(pair, secret)).toMatchObject({ status: 401 });
});

it('shows when each value was last used, in either direction and in which slot', async () => {
  const pair = await pairWith({ miniapp: signing('HMAC', { hmac_secret: secret }) });
  const staged = await manage('POST', `miniapps/${pair.appId}/rotate`, {
    credential: 'hmac_secret',
    slot: 'next',
    value: `${secret} the second`,
  });
  expect(staged.body.credentials.hmac_secret.next).not.toHaveProperty('last_used_at');
  expect([(await event(pair, `${secret} the second`)).status, (await connect(pair)).status]).toEqual([200, 200]);
  await resolve(service.composed.container, T.postgresCredentialUses).flush();
  const shown = [(await manage('GET', `miniapps/${pair.appId}`)).body, (await manage('GET', `host-apps/${pair.clientId}`)).body];
  const [mini, host] = shown.map(({ credentials }) => credentials);
  const times = [mini.hmac_secret.next, mini.hmac_secret.current, host.secret_key.current, host.host_app_secret_key.current];
  for (const { last_used_at: at } of times) expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(20_000);
  expect(mini.secret_key.current).not.toHaveProperty('last_used_at');
});

it('opens a payload with the next, the current and the previous key only', async () => {
  const pair = await pairWith({});
  const host = `host-apps/${pair.clientId}`;
  const second = String((await manage('POST', `${host}/rotate`, { credential: 'secret_key', slot: 'next' })).body.secret_key);
  await manage('POST', `${host}/promote`, { credential: 'secret_key' });
  const third = String((await manage('POST', `${host}/rotate`, { credential: 'secret_key', slot: 'next' })).body.secret_key);
  const login = async (key: string) => {
    const payload = sealCbc('{"reference":"user-1","email":"a@example.com"}', key).toString('base64');
    return (await service.call('POST', '/api/v1/partner/login/', { body: ids(pair, { payload }) })).status;
  };
  expect(await Promise.all([pair.hostSecret, second, third].map(login))).toEqual([200, 200, 200]);
  await manage('POST', `${host}/revoke`, { credential: 'secret_key', which: 'previous' });
  await manage('POST', `${host}/revoke`, { credential: 'secret_key', which: 'next' });
  expect(await Promise.all([pair.hostSecret, second, third].map(login))).toEqual([400, 200, 400]);
});
