import { readUser } from '../../../src/adapters/in/http/api/read-user';
import { MemoryConsentRepository } from '../../../src/adapters/out/memory/sso/memory-consent-repository';
import { MemoryRateLimiter } from '../../../src/adapters/out/memory/credentials/memory-rate-limiter';
import { MemoryUserRepository } from '../../../src/adapters/out/memory/sso/memory-user-repository';
import { MemoryUserTokenStore } from '../../../src/adapters/out/memory/sso/memory-user-token-store';
import { AesPayloadCipher } from '../../../src/adapters/out/signing/payload-cipher';
import { RandomSecretGenerator } from '../../../src/adapters/out/system/secret-generator';
import type { Credentials } from '../../../src/domain/credentials/credential';
import type { HostAppSettings } from '../../../src/domain/partners/host-app';
import type { MiniappSettings } from '../../../src/domain/partners/miniapp';
import { DomainError } from '../../../src/domain/shared/errors';
import { printJson } from '../../../src/domain/shared/print-json';
import { Secret } from '../../../src/domain/shared/secret';
import { ConnectUser } from '../../../src/domain/sso/connect-user';
import { SignOnFailures } from '../../../src/domain/sso/sign-on-failures';
import { LoginWithPayload } from '../../../src/domain/sso/login-with-payload';
import { FakeMiniappSignOnGateway } from '../../fakes/fake-miniapp-sign-on-gateway';
import { aRelay } from '../../support/a-relay';
import { CollectingLog } from '../../support/collecting-log';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { aHostApp, aMiniapp, anIntegration } from '../../support/partners/partners';
import { sealCbc, sealGcm, vectorCbc, vectorGcm, vectorKey, vectorText } from '../../support/signatures/sealed-payload';

const value = (text: string, validUntil?: number) => ({
  secret: new Secret(text),
  fingerprint: 'f',
  createdAt: 0,
  ...(validUntil && { validUntil }),
});
const oldKey = Buffer.alloc(32, 3).toString('base64url') + '=';
const thirdKey = Buffer.alloc(32, 4).toString('base64url');
const vectorKeyOnly: Credentials = { secret_key: { current: value(vectorKey) } };

const longWork = () => () => Promise.resolve();

interface World {
  readonly hostApp?: Partial<HostAppSettings>;
  readonly miniapp?: Partial<MiniappSettings>;
  readonly credentials?: Credentials;
  readonly budget?: number;
}

function house({ hostApp = {}, miniapp: mini = {}, credentials = vectorKeyOnly, budget = 100_000 }: World = {}) {
  const clock = new ManualClock();
  const log = new CollectingLog();
  const consents = new MemoryConsentRepository();
  const users = new MemoryUserRepository(consents, new MemoryUserTokenStore({ clock, ids: new CountingIds() }));
  const miniapp = new FakeMiniappSignOnGateway();
  const connectUser = new ConnectUser({ users, consents, miniapp, clock });
  const failures = new SignOnFailures({ limiter: new MemoryRateLimiter({ limits: { sign_on_failures: budget } }), clock });
  const cipher = new AesPayloadCipher();
  const secrets = new RandomSecretGenerator();
  const useCase = new LoginWithPayload({ cipher, readUser, secrets, failures, connectUser, miniapp, clock, log, longWork });
  const integration = anIntegration({ hostApp: aHostApp(hostApp, credentials), miniapp: aMiniapp(mini) });
  const login = (payload: string) => useCase.execute({ relay: aRelay(clock), integration, payload, address: '10.0.0.1' });
  const refusal = async (payload: string) => {
    const error: unknown = await login(payload).then(
      () => 'accepted',
      (thrown: unknown) => thrown,
    );
    return error instanceof DomainError ? JSON.stringify([error.kind, error.code, error.message, error.details]) : String(error);
  };
  const causes = () => log.of('partner-login.payload-refused').map(({ cause }) => cause);
  return { clock, log, consents, users, miniapp, integration, login, refusal, causes };
}

const seal = (json: unknown, key = vectorKey) => sealCbc(typeof json === 'string' ? json : JSON.stringify(json), key).toString('base64');
const theOneAnswer = '["invalid","INVALID_USER_DATA","The payload cannot be accepted",{"side":"hostapp"}]';
const seconds = (clock: ManualClock) => clock.now() / 1000;

describe('LoginWithPayload: a valid payload', () => {
  it.each([
    ['CBC', vectorCbc],
    ['GCM', vectorGcm],
  ])('posts facts without a reference as they are (%s)', async (_form, payload) => {
    const { login, miniapp, integration, users } = house();
    const pair = await login(payload);
    expect([pair.token.reveal(), pair.refreshToken.reveal()]).toEqual(['session-1', 'session-refresh-1']);
    expect(miniapp.loggedIn.map((claims) => printJson(claims))).toEqual([vectorText]);
    expect(await users.find(integration.hostApp.id, 'Bob')).toBeUndefined();
  });

  it('keeps the order, number text and unknown members of such claims, except `exp`', async () => {
    const { login, miniapp, clock } = house();
    const text = (exp: string) => `{"z":1.10,${exp}"2":1E5,"reference":null,"nil":null,"deep":{"exp":1}}`;
    await login(seal(text(`"exp":${String(seconds(clock) + 60)},`)));
    expect(printJson(miniapp.loggedIn[0] ?? null)).toBe(text(''));
  });

  it('treats claims with a reference as user data: known fields, stored, consented', async () => {
    const { login, miniapp, users, consents, integration } = house();
    await login(seal({ reference: 'u-1', email: 'mia@example.com', unknown: 1, custom_attributes: { a: 1 } }));
    const user = await users.find(integration.hostApp.id, 'u-1');
    expect(user).toMatchObject({ reference: 'u-1', email: 'mia@example.com' });
    expect(miniapp.receivedUsers).toEqual([user]);
    expect(miniapp.loggedIn).toEqual([]);
    const entries = await consents.entries({ clientId: integration.hostApp.id, integrationId: integration.id, reference: 'u-1' });
    expect(entries).toMatchObject([{ granted: true, call: 'partner/login', requestId: 'req-1' }]);
  });

  it('takes the previous Secret key until its time is over', async () => {
    const until = new ManualClock().now() + 1000;
    const { login, refusal, clock } = house({ credentials: { secret_key: { current: value(oldKey), previous: value(vectorKey, until) } } });
    await expect(login(vectorCbc)).resolves.toBeDefined();
    await expect(login(vectorGcm)).resolves.toBeDefined();
    await expect(login(seal({ a: 1 }, oldKey))).resolves.toBeDefined();
    clock.advance(1000);
    expect(await refusal(vectorCbc)).toBe(theOneAnswer);
    await expect(login(seal({ a: 1 }, oldKey))).resolves.toBeDefined();
  });

  it('accepts `exp` until its second, null for none, and a fraction', async () => {
    const { login, refusal, clock } = house();
    const exp = (value: unknown) => seal({ a: 1, exp: value });
    await expect(login(exp(seconds(clock) + 1))).resolves.toBeDefined();
    await expect(login(exp(seconds(clock) + 0.5))).resolves.toBeDefined();
    await expect(login(exp(null))).resolves.toBeDefined();
    expect(await refusal(exp(seconds(clock)))).toBe(theOneAnswer);
    expect(await refusal(exp(seconds(clock) - 1))).toBe(theOneAnswer);
  });

  it('passes on what the miniapp refuses', async () => {
    const { login, miniapp } = house();
    miniapp.refuse('NO_ROOM');
    await expect(login(vectorCbc)).rejects.toMatchObject({ kind: 'partner-refused', code: 'NO_ROOM' });
  });
});

describe('LoginWithPayload: consent', () => {
  it('is required if the host app requires it, also if the payload names no user', async () => {
    const { login, consents, integration, miniapp } = house({ hostApp: { consentRequired: true } });
    const mia = seal({ reference: 'u-1' });
    await expect(login(mia)).rejects.toMatchObject({ kind: 'invalid', code: 'CONSENT_REQUIRED' });
    await expect(login(vectorCbc)).rejects.toMatchObject({ kind: 'invalid', code: 'CONSENT_REQUIRED' });
    expect([miniapp.receivedUsers, miniapp.loggedIn]).toEqual([[], []]);
    const key = { clientId: integration.hostApp.id, integrationId: integration.id, reference: 'u-1' };
    await consents.record({ ...key, granted: true, call: 'save_consent', requestId: 'r', at: 0 });
    await expect(login(mia)).resolves.toBeDefined();
    expect(await consents.entries(key)).toHaveLength(1);
  });
});

describe('LoginWithPayload: one answer for every failure', () => {
  it.each<[string, string, World]>([
    ['encoding', '%%%', {}],
    ['length', 'AAAA', {}],
    ['length', '', {}],
    ['padding', seal({ a: 1 }, oldKey), {}],
    ['tag', vectorGcm.replace('v2.AA', 'v2.AB'), {}],
    ['tag', sealGcm('{"a":1}', vectorKey, { clientId: 'host_abc123def456', appId: 'app_other1' }), {}],
    ['cipher', vectorCbc, { hostApp: { payloadCipher: 'gcm' } }],
    ['key', vectorCbc, { credentials: {} }],
    ['json', seal('not json'), {}],
    ['json', seal('{"a":1,"a":2}'), {}],
    ['json', sealCbc(Buffer.from([0xff, 0xfe]), vectorKey).toString('base64'), {}],
    ['not-an-object', seal('[1]'), {}],
    ['exp', seal({ exp: 'tomorrow' }), {}],
    ['expired', seal({ reference: 'u', exp: 1 }), {}],
    ['user-data', seal({ reference: '' }), {}],
    ['user-data', seal({ reference: 7.5 }), {}],
    ['user-data', seal({ reference: 'u', email: 'nowhere' }), {}],
    ['required-fields', seal({ reference: 'u' }), { miniapp: { kind: 'commerce' } }],
    ['required-fields', seal({ reference: 'u', email: 'a@example.com' }), { miniapp: { requiredUserFields: ['phone'] } }],
  ])('%s: the cause is for the log alone (%#)', async (cause, payload, world) => {
    const { refusal, causes, miniapp, log } = house(world);
    expect(await refusal(payload)).toBe(theOneAnswer);
    expect(causes()).toEqual([cause]);
    expect([miniapp.receivedUsers, miniapp.loggedIn]).toEqual([[], []]);
    const [line] = log.of('partner-login.payload-refused');
    expect(Object.keys(line ?? {})).toEqual(['request_id', 'trace_id', 'client_id', 'app_id', 'cause']);
  });

  it('names the key that got furthest while two are accepted', async () => {
    const { refusal, causes } = house({ credentials: { secret_key: { current: value(oldKey), previous: value(vectorKey) } } });
    await refusal(seal({ exp: 1 }));
    expect(causes()).toEqual(['expired']);
  });

  it('counts for each integration and address, and is RATE_LIMITED after too many', async () => {
    const { login, refusal } = house({ budget: 2 });
    expect([await refusal('x'), await refusal(seal({ exp: 1 }))]).toEqual([theOneAnswer, theOneAnswer]);
    await expect(login('x')).rejects.toMatchObject({ kind: 'too-many', code: 'RATE_LIMITED' });
    await expect(login(vectorCbc)).resolves.toBeDefined();
  });
});

describe('LoginWithPayload: the work', () => {
  it('opens as often, reads as often and counts as often for every failure', async () => {
    const payloads = [
      '%%%',
      '',
      vectorCbc.slice(0, 60),
      seal({ a: 1 }, thirdKey),
      seal('not json'),
      seal({ exp: 1 }),
      seal({ reference: 7.5 }),
    ];
    for (const credentials of [{}, vectorKeyOnly, { secret_key: { current: value(oldKey), previous: value(vectorKey) } }]) {
      for (const payload of payloads) {
        const steps: string[] = [];
        const { miniapp, clock, integration } = house({ credentials });
        const inner = new AesPayloadCipher();
        const useCase = new LoginWithPayload({
          cipher: { open: (...given) => (steps.push('open'), inner.open(...given)) },
          readUser: (json) => (steps.push('read'), readUser(json)),
          secrets: new RandomSecretGenerator(),
          failures: new SignOnFailures({
            limiter: { count: async () => (steps.push('count'), { limit: 20, remaining: 19, resetS: 60 }) },
            clock,
          }),
          connectUser: undefined as never,
          miniapp,
          clock,
          log: new CollectingLog(),
          longWork,
        });
        await expect(useCase.execute({ relay: aRelay(clock), integration, payload, address: '' })).rejects.toMatchObject({
          code: 'INVALID_USER_DATA',
        });
        expect(steps).toEqual(['open', 'read', 'open', 'read', 'open', 'read', 'count']);
      }
    }
  });
});
