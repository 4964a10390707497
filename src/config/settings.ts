import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import {
  addressList,
  choice,
  keyRing,
  limits,
  nameServers,
  onOff,
  origin,
  postgresUrl,
  required,
  share,
  text,
  wholeNumber,
  type Environment,
  type RateLimits,
  type RingKey,
} from './readers';
import { withSecretFiles } from './secret-files';
import { traceSettings, type TraceSettings } from './trace-settings';

/** All settings from the environment, typed and frozen (contract/management#environment). */
export interface Settings {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly publicBaseUrl: string;
  readonly dataDir: string;
  /** Absent when the embedded database in `dataDir` is used. */
  readonly databaseUrl: string | undefined;
  /** A direct connection to the same database, for a pooler in transaction mode. Absent when `databaseUrl` is already direct. */
  readonly databaseDirectUrl: string | undefined;
  /** Connections per process. */
  readonly databasePool: number;
  /** The role that owns the tables. Absent when it is the serving role. */
  readonly migrationDatabaseUrl: string | undefined;
  readonly migrate: boolean;
  /** May be absent in development: it is generated at the first start and stored in `dataDir`. */
  readonly operatorToken: string | undefined;
  readonly encryptionKeys: readonly RingKey[] | undefined;
  readonly plainHttpToPartners: boolean;
  /** Non-public networks that partner URLs may resolve to. */
  readonly partnerNetworks: readonly string[];
  readonly sandbox: boolean;
  readonly sandboxPort: number;
  /** Serves guides and references at `/docs`. */
  readonly docs: boolean;
  /** Serves the dashboard at `/dashboard`. */
  readonly dashboard: boolean;
  /** Lets the operator see deliveries as they would be sent, including credentials. */
  readonly deliveryRequests: boolean;
  /** 0 disables metrics. */
  readonly metricsPort: number;
  /** Listen address of the metrics server. */
  readonly metricsHost: string;
  /** Maximum integrations with metrics of their own. */
  readonly metricsIntegrations: number;
  /** Absent when nothing is traced. */
  readonly traces: TraceSettings | undefined;
  readonly trustedProxies: readonly string[];
  readonly platformAddresses: readonly string[];
  /** Source addresses of the platform's calls to partners. */
  readonly egressAddresses: readonly string[];
  /** In bytes. */
  readonly bodyLimit: number;
  readonly signatureWindowS: number;
  readonly ssoTimeoutMs: number;
  readonly paymentTimeoutMs: number;
  readonly deliveryTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Name servers for partners' hosts, as `address[:port]`. Absent for the system's own. */
  readonly dnsServers?: readonly string[] | undefined;
  /** Maximum status polls per second at one host app, over all instances. */
  readonly reconcileMaxPerSecond: number;
  /** The share of a process's capacity that one partner endpoint may use: above 0, 1 at most. */
  readonly partnerConcurrency: number;
  readonly workers: number;
  /** Milliseconds that it still accepts calls after a stop signal, until load balancers notice. */
  readonly stopDelayMs: number;
  /** Whether calls that could not be answered in time are refused. */
  readonly shedding: boolean;
  readonly exposeExceptions: boolean;
  readonly rateLimits: RateLimits;
  /** Days that completed records are kept. */
  readonly retention: typeof defaultRetention;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

/** Invalid settings; the message lists everything that is missing or wrong, one per line. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

/** Limits per minute by call, and failures per minute (contract/conventions#rate-limits). */
export const defaultRateLimits: RateLimits = {
  authorize: 6000,
  partner_login: 6000,
  sign_on_failures: 60,
  get_consent: 120,
  settings: 300,
  track: 300,
  approved_miniapps: 300,
  well_known: 300,
  evidence: 60,
  'sign-in': 20,
  'basic-failure': 30,
  signature: 30,
  'payment-poll': 30,
  proposal: 20,
  explain: 120,
};

/** Days that records are kept: exchanges, delivered deliveries and failed ones. */
export const defaultRetention: Readonly<Record<'exchanges' | 'delivered' | 'failed', number>> = {
  exchanges: 30,
  delivered: 30,
  failed: 90,
};

const loopback = ['127.0.0.0/8', '::1/128'];

/** Reads the settings from the environment. Throws SettingsError with all problems at once. */
export function readSettings(env: Environment = process.env): Settings {
  const problems: string[] = [];
  const production = env.NODE_ENV === 'production';
  const from = { env: withSecretFiles({ env, problems }), problems };
  if (production) required(from, ['DATABASE_URL', 'OPERATOR_TOKEN', 'ENCRYPTION_KEYS', 'PUBLIC_BASE_URL']);

  const port = wholeNumber(from, 'PORT', { fallback: 8080, min: 0, max: 65535 });
  const databaseUrl = postgresUrl(from, 'DATABASE_URL');
  const partnerNetworks = addressList(from, 'PARTNER_NETWORKS', production ? [] : loopback);
  const platformAddresses = addressList(from, 'PLATFORM_ADDRESSES', []);
  const settings: Settings = {
    production,
    port,
    databaseUrl,
    partnerNetworks,
    host: text(from, 'HOST') ?? (production ? '::' : '127.0.0.1'),
    publicBaseUrl: origin(from, 'PUBLIC_BASE_URL') ?? `http://localhost:${String(port)}`,
    dataDir: resolve(text(from, 'DATA_DIR') ?? './data'),
    ...databaseSettings(from),
    operatorToken: operatorToken(from),
    encryptionKeys: keyRing(from, 'ENCRYPTION_KEYS'),
    plainHttpToPartners: choice(from, 'PARTNER_HTTP', ['allow', 'deny'], production ? 'deny' : 'allow') === 'allow',
    sandbox: onOff(from, 'SANDBOX', !production) && partnerNetworks.some((network) => holdsLoopback(network)),
    sandboxPort: wholeNumber(from, 'SANDBOX_PORT', { fallback: 8090, min: 0, max: 65534 }),
    ...{ docs: onOff(from, 'DOCS', true), dashboard: onOff(from, 'DASHBOARD', true) },
    deliveryRequests: onOff(from, 'DELIVERY_REQUESTS', !production),
    ...watched(from),
    trustedProxies: addressList(from, 'TRUSTED_PROXIES', []),
    platformAddresses,
    egressAddresses: addressList(from, 'EGRESS_ADDRESSES', platformAddresses),
    ...bounds(from),
    workers: workers(from, databaseUrl !== undefined),
    exposeExceptions: onOff(from, 'EXPOSE_EXCEPTIONS', false),
    rateLimits: limits(from, 'RATE_LIMITS', defaultRateLimits),
    retention: limits(from, 'RETENTION', defaultRetention, 36_500),
    logLevel: choice(from, 'LOG_LEVEL', ['debug', 'info', 'warn', 'error'], 'info'),
  };
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.freeze(settings);
}

type Source = Parameters<typeof text>[0];

function databaseSettings(from: Source) {
  return {
    databaseDirectUrl: postgresUrl(from, 'DATABASE_DIRECT_URL'),
    databasePool: wholeNumber(from, 'DATABASE_POOL', { fallback: 10, min: 1, max: 1000 }),
    migrationDatabaseUrl: postgresUrl(from, 'MIGRATION_DATABASE_URL'),
    migrate: onOff(from, 'MIGRATE', true),
  };
}

function bounds(from: Source) {
  const hour = 3_600_000;
  return {
    bodyLimit: wholeNumber(from, 'BODY_LIMIT', { fallback: 262_144, min: 1024, max: 16_777_216 }),
    signatureWindowS: wholeNumber(from, 'SIGNATURE_WINDOW_S', { fallback: 300, min: 1, max: 3600 }),
    ssoTimeoutMs: wholeNumber(from, 'SSO_TIMEOUT_MS', { fallback: 10_000, min: 100, max: hour }),
    paymentTimeoutMs: wholeNumber(from, 'PAYMENT_TIMEOUT_MS', { fallback: 20_000, min: 100, max: hour }),
    deliveryTimeoutMs: wholeNumber(from, 'DELIVERY_TIMEOUT_MS', { fallback: 15_000, min: 100, max: hour }),
    dnsServers: nameServers(from, 'DNS_SERVERS'),
    connectTimeoutMs: wholeNumber(from, 'CONNECT_TIMEOUT_MS', { fallback: 3000, min: 50, max: hour }),
    reconcileMaxPerSecond: wholeNumber(from, 'RECONCILE_MAX_PER_SECOND', { fallback: 200, min: 1, max: 10_000 }),
    partnerConcurrency: share(from, 'PARTNER_CONCURRENCY', 0.25),
    stopDelayMs: wholeNumber(from, 'STOP_DELAY_MS', { fallback: 0, min: 0, max: 60_000 }),
    shedding: onOff(from, 'SHEDDING', true),
  };
}

function watched(from: Source) {
  return {
    metricsPort: wholeNumber(from, 'METRICS_PORT', { fallback: 9464, min: 0, max: 65535 }),
    metricsHost: text(from, 'METRICS_HOST') ?? '127.0.0.1',
    metricsIntegrations: wholeNumber(from, 'METRICS_INTEGRATIONS', { fallback: 100, min: 0, max: 1000 }),
    traces: traceSettings(from),
  };
}

function operatorToken(from: Source): string | undefined {
  const token = text(from, 'OPERATOR_TOKEN');
  if (token !== undefined && !/^[\x21-\x7e]{16,512}$/.test(token)) {
    from.problems.push('OPERATOR_TOKEN must be 16 to 512 printable ASCII characters without blanks');
  }
  return token;
}

function workers(from: Source, onPostgres: boolean): number {
  const value = text(from, 'WORKERS') ?? '1';
  if (value === 'auto') return onPostgres ? availableParallelism() : 1;
  const count = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (count < 1) from.problems.push('WORKERS must be a number from 1 to 999, or auto');
  if (count > 1 && !onPostgres) from.problems.push('WORKERS above 1 needs DATABASE_URL: the embedded database serves one process');
  return count;
}

const holdsLoopback = (network: string): boolean => /^(127\.|::1|0\.0\.0\.0\/0|::\/0|localhost)/.test(network);
