import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, type SettingsError } from '../../../src/config/settings';

const key = Buffer.alloc(32, 1).toString('base64');
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://u:p@db/pierhead',
  OPERATOR_TOKEN: 'operator-token-0123456789',
  ENCRYPTION_KEYS: `k1:${key}`,
  PUBLIC_BASE_URL: 'https://platform.example/',
};

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    return (error as SettingsError).problems;
  }
};

describe('readSettings', () => {
  it('has a default for everything in development', () => {
    expect(readSettings({})).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 8080,
      publicBaseUrl: 'http://localhost:8080',
      databaseUrl: undefined,
      plainHttpToPartners: true,
      partnerNetworks: ['127.0.0.0/8', '::1/128'],
      sandbox: true,
      sandboxPort: 8090,
      dashboard: true,
      deliveryRequests: true,
      metricsPort: 9464,
      metricsHost: '127.0.0.1',
      metricsIntegrations: 100,
      bodyLimit: 262_144,
      signatureWindowS: 300,
      ssoTimeoutMs: 10_000,
      paymentTimeoutMs: 20_000,
      deliveryTimeoutMs: 15_000,
      connectTimeoutMs: 3000,
      workers: 1,
      exposeExceptions: false,
      migrate: true,
      logLevel: 'info',
      rateLimits: { authorize: 6000, partner_login: 6000, sign_on_failures: 60, get_consent: 120, settings: 300, 'basic-failure': 30 },
    });
  });

  it('turns every development default off in production', () => {
    expect(readSettings(production)).toMatchObject({
      host: '::',
      publicBaseUrl: 'https://platform.example',
      plainHttpToPartners: false,
      partnerNetworks: [],
      deliveryRequests: false,
      sandbox: false,
    });
  });

  it.each([
    'postgres://app:pw@/bugs?host=/cloudsql/proj:eu:db',
    'postgresql:///bugs?host=/var/run/postgresql&port=5433',
    'postgres://app@%2Fvar%2Frun%2Fpostgresql/db',
    'postgres://app:100%25%23%2F@[::1]:5432/db?sslmode=verify-full&sslrootcert=/run/ca.crt',
    'postgres://app@db.internal/db?options=-c%20search_path%3Dp&channel_binding=require',
  ])('B5, B6: takes the database at %s', (DATABASE_URL) => {
    expect(readSettings({ DATABASE_URL, DATABASE_DIRECT_URL: DATABASE_URL, DATABASE_POOL: '3' })).toMatchObject({
      ...{ databaseUrl: DATABASE_URL, databaseDirectUrl: DATABASE_URL, databasePool: 3 },
    });
  });

  it.each(['0', '65536', '99999', '123456', '54a', ''])('names the port of DATABASE_URL that is none: %j', (port) => {
    expect(problemsOf({ DATABASE_URL: `postgres://app@db:${port}/bugs` })).toEqual([expect.stringContaining('port from 1 to 65535')]);
  });

  it.each(['user:password', 'u@::1', 'u@fe80::1:5432'])('shows an example where %s is no host', (authority) => {
    expect(problemsOf({ DATABASE_URL: `postgres://${authority}/bugs` })).toEqual([expect.stringContaining('must be a URL such as')]);
  });

  it('names all that production lacks at once', () => {
    const problems = problemsOf({ NODE_ENV: 'production' }).join('\n');
    for (const name of ['DATABASE_URL', 'OPERATOR_TOKEN', 'ENCRYPTION_KEYS', 'PUBLIC_BASE_URL']) expect(problems).toContain(name);
  });

  it('turns the sandbox off if partners cannot be on loopback', () => {
    expect(readSettings({ PARTNER_NETWORKS: '', SANDBOX: 'on' }).sandbox).toBe(false);
    expect(readSettings({ PARTNER_NETWORKS: '10.0.0.0/8', SANDBOX: 'on' }).sandbox).toBe(false);
    expect(readSettings({ SANDBOX: 'off' }).sandbox).toBe(false);
  });

  it('reads name servers, with ports and without', () => {
    expect(readSettings({ DNS_SERVERS: '10.0.0.2, 10.0.0.3:5353,fd00::2,[fd00::3]:53' }).dnsServers).toEqual([
      ...['10.0.0.2', '10.0.0.3:5353', 'fd00::2', '[fd00::3]:53'],
    ]);
    expect(readSettings({ DNS_SERVERS: '' }).dnsServers).toBeUndefined();
  });

  it('calls from the platform addresses, unless EGRESS_ADDRESSES names others', () => {
    const PLATFORM_ADDRESSES = '192.0.2.1,2001:db8::/48';
    expect(readSettings({}).egressAddresses).toEqual([]);
    expect(readSettings({ PLATFORM_ADDRESSES }).egressAddresses).toEqual(['192.0.2.1', '2001:db8::/48']);
    expect(readSettings({ PLATFORM_ADDRESSES, EGRESS_ADDRESSES: '192.0.2.9' }).egressAddresses).toEqual(['192.0.2.9']);
    expect(readSettings({ PLATFORM_ADDRESSES, EGRESS_ADDRESSES: '' }).egressAddresses).toEqual([]);
  });

  it('takes overridden limits by name', () => {
    expect(readSettings({ RATE_LIMITS: '{"authorize": 5}' }).rateLimits).toMatchObject({ authorize: 5, get_consent: 120 });
  });

  it('takes overridden times of retention by name', () => {
    expect(readSettings({}).retention).toEqual({ exchanges: 30, delivered: 30, failed: 90 });
    expect(readSettings({ RETENTION: '{"exchanges": 7}' }).retention).toEqual({ exchanges: 7, delivered: 30, failed: 90 });
  });

  it('reads auto as one worker on the embedded database', () => {
    expect(readSettings({ WORKERS: 'auto' }).workers).toBe(1);
    expect(readSettings({ ...production, WORKERS: 'auto' }).workers).toBeGreaterThanOrEqual(1);
  });

  it.each<[string, Record<string, string>]>([
    ['PORT', { PORT: '80a' }],
    ['PORT', { PORT: '65536' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['MIGRATION_DATABASE_URL', { MIGRATION_DATABASE_URL: 'x' }],
    ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'x' }],
    ['DATABASE_POOL', { DATABASE_POOL: '0' }],
    ['PUBLIC_BASE_URL', { PUBLIC_BASE_URL: 'platform.example' }],
    ['PUBLIC_BASE_URL', { PUBLIC_BASE_URL: 'https://platform.example/?x=1' }],
    ['OPERATOR_TOKEN', { OPERATOR_TOKEN: 'short' }],
    ['ENCRYPTION_KEYS', { ENCRYPTION_KEYS: 'k1:short' }],
    ['ENCRYPTION_KEYS', { ENCRYPTION_KEYS: `k1:${key},k1:${key}` }],
    ['PARTNER_HTTP', { PARTNER_HTTP: 'yes' }],
    ['PARTNER_NETWORKS', { PARTNER_NETWORKS: '10.0.0.0/8,nonsense' }],
    ...['ns.example', '10.0.0.2:0', '10.0.0.2:65536', '[10.0.0.2]', 'fd00::2%eth0'].map((DNS_SERVERS): [string, Record<string, string>] => [
      'DNS_SERVERS',
      { DNS_SERVERS },
    ]),
    ...['{', '[]', '{"payments":1}', '{"failed":0}', '{"failed":1.5}', '{"failed":36501}', '{"failed":"1"}'].map(
      (RETENTION): [string, Record<string, string>] => ['RETENTION', { RETENTION }],
    ),
    ['SANDBOX', { SANDBOX: 'true' }],
    ['DASHBOARD', { DASHBOARD: 'no' }],
    ['DOCS', { DOCS: 'no' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
    ['PLATFORM_ADDRESSES', { PLATFORM_ADDRESSES: 'example.com' }],
    ['EGRESS_ADDRESSES', { EGRESS_ADDRESSES: '192.0.2.1/8' }],
    ...[
      '10.1',
      '010.0.0.1',
      '0x7f.0.0.1',
      '2130706433',
      '10.0.0.1/8',
      '1.2.3.4/0',
      '10.0.0.0/08',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '::1.2.3.4',
    ].map((entry): [string, Record<string, string>] => ['TRUSTED_PROXIES', { TRUSTED_PROXIES: entry }]),
    ...['fe80::1%eth0', '2001:db8::1/32', '::ffff:10.0.0.1/104', '::/129', '[::1]'].map((entry): [string, Record<string, string>] => [
      'PLATFORM_ADDRESSES',
      { PLATFORM_ADDRESSES: entry },
    ]),
    ['BODY_LIMIT', { BODY_LIMIT: '0' }],
    ['SIGNATURE_WINDOW_S', { SIGNATURE_WINDOW_S: '-1' }],
    ['SSO_TIMEOUT_MS', { SSO_TIMEOUT_MS: '1.5' }],
    ['WORKERS', { WORKERS: '0' }],
    ['WORKERS', { WORKERS: '2' }],
    ['MIGRATE', { MIGRATE: '1' }],
    ['RATE_LIMITS', { RATE_LIMITS: '{' }],
    ['RATE_LIMITS', { RATE_LIMITS: '[]' }],
    ['RATE_LIMITS', { RATE_LIMITS: '{"authorize": 0}' }],
    ['RATE_LIMITS', { RATE_LIMITS: '{"nothing": 1}' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'verbose' }],
  ])('refuses a wrong %s: %j', (name, env) => {
    const problems = problemsOf(env);
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toContain(name);
  });

  it('never quotes a secret in a problem', () => {
    const text = problemsOf({ OPERATOR_TOKEN: 'CANARY', ENCRYPTION_KEYS: 'k:CANARY', DATABASE_URL: 'x://u:CANARY@h' }).join();
    expect(text).not.toContain('CANARY');
  });

  it('takes secrets out of files, and says where it cannot', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pierhead-settings-'));
    const file = join(folder, 'token');
    writeFileSync(file, 'operator-token-9876543210\n');
    const { OPERATOR_TOKEN: _given, ...rest } = production;
    expect(readSettings({ ...rest, OPERATOR_TOKEN_FILE: file }).operatorToken).toBe('operator-token-9876543210');
    expect(problemsOf({ ...production, OPERATOR_TOKEN_FILE: file })).toEqual(['OPERATOR_TOKEN and OPERATOR_TOKEN_FILE are both given']);
    expect(problemsOf({ ...rest, OPERATOR_TOKEN_FILE: join(folder, 'none') })).toEqual([
      'OPERATOR_TOKEN_FILE names a file that cannot be read',
      'OPERATOR_TOKEN is required in production',
    ]);
    writeFileSync(file, '\n');
    expect(problemsOf({ DATABASE_URL_FILE: file })).toEqual(['DATABASE_URL_FILE names an empty file']);
    rmSync(folder, { recursive: true });
  });
});
