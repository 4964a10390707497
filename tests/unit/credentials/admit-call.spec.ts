import { AdmitCall } from '../../../src/domain/credentials/admit-call';
import type { InboundRequest } from '../../../src/domain/credentials/check';
import type { CheckTools, CredentialPolicy } from '../../../src/domain/credentials/credential-policy';
import { refusal } from '../../../src/domain/shared/errors';
import { Secret } from '../../../src/domain/shared/secret';
import { checkedByMiniapp } from '../../../src/domain/partners/event-checks';
import type { IntegrationRecord, EventChecker } from '../../../src/domain/partners/integrations/integration';
import type { HostApp } from '../../../src/domain/partners/host-app';
import type { Miniapp } from '../../../src/domain/partners/miniapp';
import { MemoryDryRunRepository } from '../../../src/adapters/out/memory/credentials/memory-dry-run-repository';
import { MemoryCallerRepository } from '../../../src/adapters/out/memory/credentials/memory-caller-repository';
import { aRelay } from '../../support/a-relay';
import { ManualClock } from '../../support/manual-clock';
import { signatureTools } from '../../support/signatures/signing';
import { aHostApp, aMiniapp, anIntegration } from '../../support/partners/partners';

const basic = (user: string, password: string) => ['Authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`];
const right = basic('host_abc123def456', 'host-secret');
const connectPolicy: CredentialPolicy = { caller: 'host-app', basic: 'as-set', whenEmpty: 'open', feature: 'sso' };
const ordersPolicy: CredentialPolicy = { caller: 'miniapp', basic: 'never', whenEmpty: 'refused', feature: 'payments' };
const revokePolicy: CredentialPolicy = { caller: 'host-app', basic: 'as-set', whenEmpty: 'open', waivedByPublicRevoke: true };

interface World {
  hostApp?: HostApp | undefined;
  miniapp?: Miniapp | undefined;
  integrationRecord?: Partial<IntegrationRecord['settings']> | undefined;
  failuresLeft?: number;
}

function admission(world: World = {}) {
  const clock = new ManualClock();
  const { hostApp, miniapp } = { hostApp: aHostApp(), miniapp: aMiniapp(), ...world };
  const settings = { ...anIntegration().settings, ...world.integrationRecord };
  const integrationRecord: IntegrationRecord | undefined =
    'integrationRecord' in world && world.integrationRecord === undefined
      ? undefined
      : { id: 'int_1', clientId: 'host_abc123def456', appId: 'app_abc123', version: 1, settings };
  let failuresLeft = world.failuresLeft ?? 30;
  const counted: string[] = [];
  const tools: CheckTools = {
    digest: { equals: (a, b) => a === b, matcher: (a) => (b) => a === b, fingerprint: () => '' },
    addresses: { contains: (list, address) => list.includes(address), plain: (address) => address, problem: () => undefined },
    limiter: {
      count: async ({ limit, subject }) => {
        counted.push(`${limit} ${subject}`);
        if (failuresLeft-- <= 0) throw refusal('too-many', 'RATE_LIMITED', { retryAfterS: 60 });
        return { limit: 30, remaining: failuresLeft, resetS: 60 };
      },
    },
    decodeBasic: (value) => Buffer.from(value, 'base64').toString('utf8'),
    platformAddresses: ['198.51.100.1'],
    ...signatureTools,
  };
  const directory = {
    hostApp: async (id: string) => (id === hostApp?.id ? hostApp : undefined),
    miniapp: async (id: string) => (id === miniapp?.id ? miniapp : undefined),
    integrationRecord: async () => integrationRecord,
    integrationRecordById: async () => integrationRecord,
  };
  const callers = new MemoryCallerRepository(clock);
  const admit = new AdmitCall({ directory, tools, callers, dryRuns: new MemoryDryRunRepository(), clock });
  const passed: string[] = [];
  const call = (rawHeaders: string[], options: { policy?: CredentialPolicy; clientId?: string; appId?: string; from?: string } = {}) => {
    const request: InboundRequest = {
      method: 'POST',
      target: '/',
      rawHeaders,
      body: new Uint8Array(),
      remoteAddress: options.from ?? '203.0.113.7',
    };
    const relay = aRelay(clock);
    relay.trace.passed = (name) => void passed.push(name);
    const ids = { clientId: options.clientId ?? 'host_abc123def456', appId: options.appId ?? 'app_abc123' };
    return admit.execute({ relay, policy: options.policy ?? connectPolicy, ids, request });
  };
  return { call, passed, counted, clock, callers };
}

describe('AdmitCall: Basic', () => {
  it('admits the right secret', async () => {
    const { call, passed } = admission();
    await expect(call(right)).resolves.toMatchObject({ id: 'int_1', hostApp: { id: 'host_abc123def456' }, miniapp: { id: 'app_abc123' } });
    expect(passed).toEqual(['basic']);
  });

  it.each([
    ['no header', []],
    ['a wrong secret', basic('host_abc123def456', 'wrong')],
    ["another app's name", basic('host_other', 'host-secret')],
    ['no colon', ['Authorization', `Basic ${Buffer.from('host_abc123def456').toString('base64')}`]],
    ['another scheme', ['Authorization', 'Bearer host-secret']],
    ['no base64', ['Authorization', 'Basic $$$']],
    ['an empty secret', basic('host_abc123def456', '')],
  ])('refuses %s exactly as it refuses a stranger', async (_what, headers) => {
    const known = admission();
    const refused = (await known.call(headers).catch((error: unknown) => error)) as Error;
    const stranger = (await known.call(headers, { clientId: 'host_stranger00000' }).catch((error: unknown) => error)) as Error;
    expect(refused).toMatchObject({ kind: 'unauthenticated', code: 'ACCESS_DENIED', details: { side: 'hostapp' } });
    expect([stranger.message, Object.entries(stranger)]).toEqual([refused.message, Object.entries(refused)]);
  });

  it('refuses a doubled Authorization header, even when both are right', async () => {
    const { call } = admission();
    await expect(call([...right, ...right])).rejects.toMatchObject({ kind: 'invalid', code: 'INVALID_INPUT' });
    await expect(call([...right, 'AUTHORIZATION', 'x'])).rejects.toMatchObject({ kind: 'invalid', code: 'INVALID_INPUT' });
  });

  it('takes the previous secret until its time is over', async () => {
    const previous = { secret: new Secret('old-secret'), fingerprint: 'f', createdAt: 0, validUntil: Date.UTC(2026, 0, 1) + 1000 };
    const current = { secret: new Secret('host-secret'), fingerprint: 'g', createdAt: 0 };
    const { call, clock } = admission({ hostApp: aHostApp({}, { secret_key: { current, previous } }) });
    await expect(call(basic('host_abc123def456', 'old-secret'))).resolves.toBeDefined();
    clock.advance(1000);
    await expect(call(basic('host_abc123def456', 'old-secret'))).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(call(right)).resolves.toBeDefined();
  });

  it('admits nobody to an app whose secret was revoked', async () => {
    const { call } = admission({ hostApp: aHostApp({}, {}) });
    await expect(call(basic('host_abc123def456', ''))).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(call(basic('host_abc123def456', '-'.repeat(44)))).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('answers RATE_LIMITED to wrong secrets after too many failures of the app', async () => {
    const { call, counted } = admission({ failuresLeft: 1 });
    await expect(call([])).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(call([])).rejects.toMatchObject({ kind: 'too-many', code: 'RATE_LIMITED' });
    await expect(call(right)).resolves.toBeDefined();
    expect(counted).toEqual(['basic-failure host_abc123def456', 'basic-failure host_abc123def456']);
  });

  it('is not asked for where the host app has it off', async () => {
    const { call, passed } = admission({ hostApp: aHostApp({ basicAuthValidation: false }) });
    await expect(call([])).resolves.toBeDefined();
    expect(passed).toEqual([]);
  });
});

describe('AdmitCall: signing on', () => {
  const signed = { ...aHostApp().settings.signature, enabled: true };

  it('refuses the call, and Basic alone does not help', async () => {
    const { call } = admission({ hostApp: aHostApp({ signature: signed }) });
    await expect(call(right)).rejects.toMatchObject({ kind: 'invalid', code: 'MISSING_REQUEST_SIGNATURE_SETTINGS' });
  });

  it('asks for Basic first where both are wanted', async () => {
    const { call } = admission({ hostApp: aHostApp({ signature: signed, basicWithSignature: true }) });
    await expect(call([])).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(call(right)).rejects.toMatchObject({ code: 'MISSING_REQUEST_SIGNATURE_SETTINGS' });
  });
});

describe('AdmitCall: allowlist', () => {
  const listed = (addresses: string[]) => admission({ hostApp: aHostApp({ ipWhitelist: { enabled: true, addresses } }) });

  it('admits listed addresses and the platform, after Basic', async () => {
    const { call, passed } = listed(['203.0.113.7']);
    await expect(call(right)).resolves.toBeDefined();
    await expect(call(right, { from: '198.51.100.1' })).resolves.toBeDefined();
    expect(passed).toEqual(['basic', 'address', 'basic', 'address']);
    await expect(call([])).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it.each([[['203.0.113.8']], [[]]])('refuses others with 403 (list %j)', async (addresses) => {
    await expect(listed(addresses).call(right)).rejects.toMatchObject({ kind: 'forbidden', code: 'NOT_A_WHITELISTED_IP' });
  });
});

describe("AdmitCall: a host app's event", () => {
  const hostApp = { basic: 'as-set', whenEmpty: 'refused' } as const;
  const policy: CredentialPolicy = { caller: 'miniapp', basic: 'never', whenEmpty: 'refused', feature: 'events', hostApp };
  const miniapp = aMiniapp({ ipWhitelist: { enabled: true, addresses: ['203.0.113.7'] } });
  const by = (hostAppEventsCheckedBy: EventChecker) => ({ hostAppEventsCheckedBy });

  it("passes only the miniapp's checks by default", async () => {
    const { call, passed } = admission({ miniapp });
    await expect(call([], { policy })).resolves.toBeDefined();
    expect(passed).toEqual(['address']);
    await expect(call(right, { policy, from: '203.0.113.8' })).rejects.toMatchObject({
      code: 'NOT_A_WHITELISTED_IP',
      message: expect.stringContaining(checkedByMiniapp) as string,
      details: { side: 'miniapp', setting: 'host_app_events_checked_by' },
    });
  });

  it("passes the host app's own checks alone with host_app", async () => {
    const { call, passed } = admission({ miniapp: aMiniapp(), integrationRecord: by('host_app') });
    await expect(call(right, { policy })).resolves.toBeDefined();
    expect(passed).toEqual(['basic']);
    await expect(call([], { policy })).rejects.toMatchObject({ code: 'ACCESS_DENIED', details: { side: 'hostapp' } });
  });

  it('passes both with both: the host app first, then the miniapp', async () => {
    const { call, passed } = admission({ miniapp, integrationRecord: by('both') });
    await expect(call(right, { policy })).resolves.toBeDefined();
    expect(passed).toEqual(['basic', 'address']);
    await expect(call([], { policy, from: '203.0.113.8' })).rejects.toMatchObject({ code: 'ACCESS_DENIED', details: { side: 'hostapp' } });
    const refused = { code: 'NOT_A_WHITELISTED_IP', details: { side: 'miniapp' } };
    await expect(call(right, { policy, from: '203.0.113.8' })).rejects.toMatchObject(refused);
  });

  it.each(['host_app', 'both'] as const)('is refused with %s if the host app has no check enabled', async (checker) => {
    const open = aHostApp({ basicAuthValidation: false });
    const { call } = admission({ miniapp, hostApp: open, integrationRecord: by(checker) });
    const refused = { kind: 'forbidden', code: 'ACCESS_DENIED', details: { side: 'hostapp' } };
    await expect(call(right, { policy })).rejects.toMatchObject(refused);
  });

  it('changes nothing on other routes', async () => {
    const { call } = admission({ miniapp, integrationRecord: by('both') });
    await expect(call([], { policy: ordersPolicy })).resolves.toBeDefined();
  });
});

describe('AdmitCall: the pair', () => {
  it.each([
    ['no such miniapp', { miniapp: undefined }, 'MINIAPP_NOT_FOUND'],
    ['no integration', { integrationRecord: undefined }, 'NO_INTEGRATION'],
    ['a proposed integration', { integrationRecord: { status: 'proposed' as const } }, 'NO_INTEGRATION'],
    ['a suspended integration', { integrationRecord: { status: 'suspended' as const } }, 'NO_INTEGRATION'],
    ['sso never set up at the host app', { hostApp: aHostApp({ features: {} }) }, 'HOSTAPP_INTEGRATION_NOT_SET'],
    ['sso off at the host app', { hostApp: aHostApp({ features: { sso: false } }) }, 'FEATURE_DISABLED_IN_HOSTAPP'],
    ['sso never set up at the miniapp', { miniapp: aMiniapp({ features: {} }) }, 'MINIAPP_INTEGRATION_NOT_SET'],
    ['sso off at the miniapp', { miniapp: aMiniapp({ features: { sso: false } }) }, 'FEATURE_DISABLED_IN_MINIAPP'],
    ['sso off in the integration', { integrationRecord: { features: { sso: false } } }, 'FEATURE_DISABLED_IN_INTEGRATION'],
    ['sso absent in the integration', { integrationRecord: { features: {} } }, 'FEATURE_DISABLED_IN_INTEGRATION'],
    [
      'off everywhere, the host app first',
      { hostApp: aHostApp({ features: { sso: false } }), miniapp: aMiniapp({ features: {} }) },
      'FEATURE_DISABLED_IN_HOSTAPP',
    ],
  ])('refuses %s', async (_what, world, code) => {
    const { call } = admission(world);
    await expect(call(right)).rejects.toMatchObject({ kind: 'invalid', code });
  });

  it('checks credentials before it says anything about the other partner', async () => {
    const { call } = admission({ miniapp: undefined, integrationRecord: undefined });
    await expect(call([])).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('tells unknown ids apart where nobody is checked', async () => {
    const { call } = admission();
    const policy: CredentialPolicy = { caller: 'anyone', basic: 'never', whenEmpty: 'open' };
    await expect(call([], { policy, clientId: 'host_unknown00000' })).rejects.toMatchObject({ kind: 'invalid', code: 'HOSTAPP_NOT_FOUND' });
    await expect(call([], { policy, appId: 'app_unknow' })).rejects.toMatchObject({ code: 'MINIAPP_NOT_FOUND' });
    await expect(call([], { policy })).resolves.toBeDefined();
  });

  it('refuses a miniapp without any check if the route is closed by default', async () => {
    await expect(admission().call([], { policy: ordersPolicy })).rejects.toMatchObject({ kind: 'forbidden', code: 'ACCESS_DENIED' });
    const listed = admission({ miniapp: aMiniapp({ ipWhitelist: { enabled: true, addresses: ['203.0.113.7'] } }) });
    await expect(listed.call([], { policy: ordersPolicy })).resolves.toBeDefined();
    await expect(listed.call([], { policy: ordersPolicy, appId: 'app_unknow' })).rejects.toMatchObject({ code: 'MINIAPP_NOT_FOUND' });
  });

  it('skips the checks of revoke only if the host app allows it', async () => {
    await expect(admission().call([], { policy: revokePolicy })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(admission({ hostApp: aHostApp({ publicRevoke: true }) }).call([], { policy: revokePolicy })).resolves.toBeDefined();
    await expect(admission({ hostApp: aHostApp({ publicRevoke: true }) }).call([])).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});

describe('AdmitCall: where calls come from', () => {
  const partner = { kind: 'host-app', id: 'host_abc123def456' } as const;

  it('counts admitted and refused calls for each address', async () => {
    const hostApp = aHostApp();
    const ipWhitelist = { enabled: true, addresses: ['203.0.113.7'] };
    const { call, callers } = admission({ hostApp: { ...hostApp, settings: { ...hostApp.settings, ipWhitelist } } });
    await call(right);
    await expect(call(right, { from: '192.0.2.9' })).rejects.toMatchObject({ code: 'NOT_A_WHITELISTED_IP' });
    expect(await callers.addresses(partner, 0)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ address: '203.0.113.7', admitted: 1, refused: 0 }),
        expect.objectContaining({ address: '192.0.2.9', admitted: 0, refused: 1 }),
      ]),
    );
  });

  it('counts nobody who proved nothing', async () => {
    const { call, callers } = admission();
    await expect(call(basic('host_abc123def456', 'wrong'))).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await callers.addresses(partner, 0)).toEqual([]);
  });
});
