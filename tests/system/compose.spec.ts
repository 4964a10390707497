import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readSettings } from '../../src/config/settings';

const folder = join(__dirname, '../../docs/deploy');

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly profiles?: readonly string[];
  readonly stop_grace_period?: string;
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, unknown>>;
}

// No container engine runs it here: what it says is held against the service's own settings, and nginx.conf is run by nginx itself.
const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');
const { services, secrets, volumes, networks } = parse(text, { merge: true }) as Compose;
const own = ['migrate', 'pierhead-1', 'pierhead-2'];

describe('compose.yaml', () => {
  it('contains what it names: secrets, volumes, networks, services, files', () => {
    for (const { secrets: needed = [], volumes: mounted = [], depends_on: after = {}, networks: joined } of Object.values(services)) {
      for (const name of needed) expect(Object.keys(secrets)).toContain(name);
      for (const name of Object.keys(after)) expect(Object.keys(services)).toContain(name);
      for (const name of Array.isArray(joined) ? (joined as string[]) : Object.keys(joined)) expect(Object.keys(networks)).toContain(name);
      for (const from of mounted.map((volume) => volume.split(':')[0] ?? '')) {
        if (!from.startsWith('./')) expect(Object.keys(volumes)).toContain(from);
        else if (from !== './tls') expect([from, existsSync(join(folder, from))]).toEqual([from, true]);
      }
    }
  });

  it('serves as one role and migrates as another, which owns the tables', () => {
    const script = readFileSync(join(folder, 'serving-role.sh'), 'utf8');
    expect(script).toContain('create role pierhead_serving login');
    expect(text).toContain(
      '\'postgres://pierhead_serving:%s@postgres:5432/pierhead\' "$(cat secrets/serving-password)" > secrets/database-url',
    );
    expect(services['migrate']?.environment).toHaveProperty('MIGRATION_DATABASE_URL_FILE');
    for (const instance of ['pierhead-1', 'pierhead-2']) {
      expect(services[instance]?.environment).not.toHaveProperty('MIGRATION_DATABASE_URL_FILE');
      expect(services[instance]?.secrets).not.toContain('migration-database-url');
    }
  });

  it('sets known variables, and all that production requires', () => {
    const known = readFileSync(join(__dirname, '../../src/config/settings.ts'), 'utf8');
    for (const name of own) {
      const { environment = {}, secrets: given = [] } = services[name] ?? {};
      const read = new Set<string>();
      const values: Record<string, string> = { ...environment, PUBLIC_BASE_URL: 'https://platform.example' };
      for (const [setting, value] of Object.entries(environment)) {
        const file = /^\/run\/secrets\/(.+)$/.exec(value)?.[1];
        if (file === undefined) continue;
        expect(given).toContain(file);
        delete values[setting];
        read.add(setting.replace(/_FILE$/, ''));
      }
      const notify = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
      const asRead = {
        DATABASE_URL: 'postgres://pierhead_serving:secret@postgres:5432/pierhead',
        ...(name === 'migrate' && { MIGRATION_DATABASE_URL: 'postgres://pierhead:secret@postgres:5432/pierhead' }),
        OPERATOR_TOKEN: 'o'.repeat(48),
        ENCRYPTION_KEYS: notify,
      };
      expect([...read].sort()).toEqual(Object.keys(asRead).sort());
      for (const setting of Object.keys(values)) expect([setting, known.includes(setting)]).toEqual([setting, true]);
      expect(readSettings({ ...values, ...asRead })).toMatchObject({
        production: true,
        sandbox: false,
        metricsHost: '0.0.0.0',
        migrate: false,
      });
    }
  });

  it('believes nginx alone, at its own address', () => {
    const inside = (services['nginx']?.networks ?? {}) as Readonly<Record<string, { readonly ipv4_address?: string }>>;
    expect(services['pierhead-1']?.environment?.['TRUSTED_PROXIES']).toBe(inside['inside']?.ipv4_address);
  });

  it('migrates before anything serves, routes by readiness, and leaves time to stop', () => {
    expect(services['migrate']?.command).toEqual(['node', 'dist/src/cli.js', 'migrate']);
    for (const name of ['pierhead-1', 'pierhead-2']) {
      const { depends_on: after, healthcheck, stop_grace_period: grace, ports } = services[name] ?? {};
      expect(after).toEqual({ migrate: { condition: 'service_completed_successfully' } });
      expect(healthcheck?.test.join(' ')).toContain('/health/ready');
      expect(grace).toBe('35s');
      expect(ports).toBeUndefined();
    }
  });

  it('publishes the ports that partners call, and Prometheus only to this machine', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    expect(published).toEqual(['nginx 443:443', 'prometheus 127.0.0.1:9090:9090']);
    expect(services['prometheus']?.profiles).toEqual(['metrics']);
    const { scrape_configs: scraped } = parse(readFileSync(join(folder, 'prometheus.yaml'), 'utf8')) as {
      scrape_configs: { static_configs: { targets: string[] }[] }[];
    };
    const { METRICS_PORT: port = '' } = services['pierhead-1']?.environment ?? {};
    expect(scraped[0]?.static_configs[0]?.targets).toEqual([`pierhead-1:${port}`, `pierhead-2:${port}`]);
  });
});
