import { setTimeout as pause } from 'node:timers/promises';
import { mainDatabaseKind } from '../../support/postgres/database';
import { startTestService, type TestService } from '../../support/service/service';
import { Driver, inQueues, type Operation } from '../harness/driver';
import { chanceOf, figure, inThisForm, within } from '../harness/fault-run';
import { hostileTexts, textSettings, type TextSetting } from '../harness/hostile-settings';
import { connect, create, emailOf, marksIn, publicBase, tenantCalls, Tenants, type Tenant, type TenantCall } from '../harness/tenants';

/** Each round has a service, a database and tenants of its own. */
const rounds = inThisForm({ short: 1, long: 10 });
const tenantCount = inThisForm({ short: 8, long: 50 });
const callsPerRound = inThisForm({ short: 500, long: 10_000 });
/** The share of calls in which another tenant's ids are named. */
const swapShare = 0.3;
/** The share of all hostile texts in all settings that is tried. */
const hostileShare = inThisForm({ short: 0.015, long: 1 });
const atOnce = 16;

interface Stage {
  readonly service: TestService;
  readonly tenants: Tenants;
  readonly driver: Driver;
}

async function withStage<T>(count: number, work: (stage: Stage) => Promise<T>): Promise<T> {
  const service = await startTestService({ kind: mainDatabaseKind, env: { PUBLIC_BASE_URL: publicBase } });
  const tenants = await Tenants.open(service, count);
  const driver = new Driver();
  try {
    return await work({ service, tenants, driver });
  } finally {
    driver.close();
    await tenants.close();
    // Fails where a canary shows in the log, in the exchanges or in the audit trail.
    await service.close();
  }
}

const send = ({ service, driver }: Stage, { path, ...call }: ReturnType<TenantCall>): Promise<Operation> =>
  driver.call({ ...call, url: `${service.url}${path}` });

/** Resolves when nothing is pending any more. */
async function delivered({ service }: Stage): Promise<void> {
  for (let polls = 0; polls < 300; polls++) {
    const [{ n }] = await service.database.db.query<[{ n: number }]>(`select count(*)::int as n from deliveries where state = 'ready'`);
    if (n === 0) return;
    await pause(100);
  }
  throw new Error('Deliveries are still pending');
}

/** Every row of every table, as text; bytes are in hexadecimal. */
async function dumpOf({ service }: Stage): Promise<string> {
  const { db } = service.database;
  const names = await db.query<{ name: string }[]>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const tables = await Promise.all(names.map(({ name }) => db.query<{ row: string }[]>(`select t::text as row from "${name}" t`)));
  return tables.flatMap((rows) => rows.map(({ row }) => row)).join('\n');
}

/** How many values there are that is another's, or nobody's. */
async function leaksOf(stage: Stage): Promise<{ marks: number; leaks: string[] }> {
  await delivered(stage);
  const { tenants, driver, service } = stage;
  const dump = await dumpOf(stage);
  const errors = driver.operations
    .filter(({ outcome }) => outcome !== 'ok')
    .map(({ text }) => text)
    .join('\n');
  const leaks: string[] = [];
  for (const { mark, pair } of tenants.all) {
    const secrets = [
      `CANARY-hmac-${mark}-of-more-than-32-bytes`,
      `CANARY-session-${mark}`,
      pair.hostSecret,
      pair.miniSecret,
      emailOf(mark),
    ];
    const others = tenants.sentToOthersThan(mark);
    for (const secret of secrets) {
      const hex = Buffer.from(secret).toString('hex');
      if (dump.includes(secret) || dump.includes(hex)) leaks.push(`${secret} in a table`);
      if (errors.includes(secret)) leaks.push(`${secret} in an error body`);
      if (service.logText().includes(secret)) leaks.push(`${secret} in the log`);
      if (others.includes(secret)) leaks.push(`${secret} at another tenant's partner`);
    }
  }
  return { marks: tenants.all.length * 5, leaks };
}

describe('tenants of one service', () => {
  const leaks: string[] = [];
  let marks = 0;
  const searchedAt = performance.now();
  const search = async (stage: Stage): Promise<void> => {
    const found = await leaksOf(stage);
    marks += found.marks;
    leaks.push(...found.leaks);
  };

  it(
    'R24: a call that names another tenant’s ids has no effect there',
    async () => {
      const startedAt = performance.now();
      const chance = chanceOf('swaps');
      const one = <T>(of: readonly T[]): T => {
        const chosen = of[Math.floor(chance() * of.length)];
        if (chosen === undefined) throw new Error('Nothing to choose from');
        return chosen;
      };
      const counts = { calls: 0, swapped: 0, swappedTaken: 0, ownRefused: 0, serverErrors: 0, foreignAnswers: 0, foreignCalls: 0 };
      const mixed = async (stage: Stage, n: number): Promise<void> => {
        const [caller, other] = [one(stage.tenants.all), one(stage.tenants.all)];
        const { clientId, appId } = caller.pair;
        const swap = other !== caller && chance() < swapShare;
        const ids = swap ? one([{ clientId, appId: other.pair.appId }, { clientId: other.pair.clientId, appId }, other.pair]) : caller.pair;
        const { outcome, status, text } = await send(stage, one(tenantCalls)(caller, ids, n));
        counts.calls++;
        if (swap) counts.swapped++;
        if (swap && outcome === 'ok') counts.swappedTaken++;
        if (!swap && outcome !== 'ok' && !text.includes('ORDER_NOT_FOUND')) counts.ownRefused++;
        if (status === 0 || status >= 500) counts.serverErrors++;
        if ([...marksIn(text)].some((mark) => mark !== caller.mark)) counts.foreignAnswers++;
      };
      for (let round = 0; round < rounds; round++) {
        await withStage(tenantCount, async (stage) => {
          await inQueues(callsPerRound, atOnce, (n) => mixed(stage, n));
          await search(stage);
          counts.foreignCalls += stage.tenants.foreignCalls().length;
          expect(stage.tenants.callsToPartners).toBeGreaterThan(callsPerRound / 3);
        });
      }
      figure('R24', { tenants: tenantCount, ...counts }, startedAt);
      expect(counts).toMatchObject({ swappedTaken: 0, ownRefused: 0, serverErrors: 0, foreignAnswers: 0, foreignCalls: 0 });
      expect(counts.swapped).toBeGreaterThan(counts.calls / 5);
    },
    within(60_000),
  );

  it(
    'R31: no setting that a tenant stores makes a call fail or affects another tenant',
    async () => {
      const startedAt = performance.now();
      const chance = chanceOf('hostile settings');
      const counts = { tried: 0, stored: 0, serverErrors: 0, othersAffected: 0 };
      await withStage(2, async (stage) => {
        const { service, tenants } = stage;
        const [own, other] = [tenants.all[0] as Tenant, tenants.all[1] as Tenant];
        const signs = await tenants.add({
          hostApp: {
            signature: { enabled: true, algorithm: 'HMAC', api_client_id: 'cid', hmac_secret: 'CANARY-of-a-host-app-that-signs-its-calls' },
          },
        });
        const at = tenants.urlOf(own.mark);
        const urls = { create_order_payment_url: `${at}/create`, get_auth_token_url: `${at}/auth`, webhook_url: `${at}/webhook` };
        const target = ({ of }: TextSetting): { readonly of: Tenant; readonly path: string } => {
          if (of === 'signed-host-app') return { of: signs, path: `host-apps/${signs.pair.clientId}` };
          if (of === 'host-app') return { of: own, path: `host-apps/${own.pair.clientId}` };
          return { of: own, path: of === 'miniapp' ? `miniapps/${own.pair.appId}` : `integrations/${own.pair.clientId}/${own.pair.appId}` };
        };
        const features = { sso: true, payments: true, events: true };
        const write = (setting: TextSetting, body: object) =>
          setting.of === 'integration'
            ? service.manage('PUT', target(setting).path, { status: 'accepted', features, ...body })
            : service.manage('PATCH', target(setting).path, body);
        const broken = ({ status }: { status: number }): boolean => status === 0 || status >= 500;
        const attempt = async (setting: TextSetting, text: string, n: number): Promise<void> => {
          counts.tried++;
          const written = await write(setting, setting.patch(text));
          if (broken(written)) throw new Error(`${setting.name}: ${JSON.stringify(text)} ${written.text}`);
          if (written.status >= 300) return;
          counts.stored++;
          const tenant = target(setting).of;
          const { clientId, appId } = tenant.pair;
          const shown = await service.call('GET', `/api/v1/miniapps/${appId}/settings/?client_id=${clientId}`);
          const owns = [shown, await send(stage, connect(tenant, tenant.pair, n)), await send(stage, create(tenant, tenant.pair, n))];
          counts.serverErrors += owns.filter(broken).length;
          const others = [await send(stage, connect(other, other.pair, n)), await send(stage, create(other, other.pair, n))];
          counts.othersAffected += others.filter(({ status }) => status !== 200).length;
          const restored = await write(setting, setting.restored);
          if (restored.status >= 300) throw new Error(`${setting.name} could not be restored: ${restored.text}`);
        };
        for (const setting of textSettings(urls)) {
          for (const [n, text] of hostileTexts.entries()) if (chance() < hostileShare) await attempt(setting, text, n);
        }
        await search(stage);
      });
      figure('R31', counts, startedAt);
      expect(counts).toMatchObject({ serverErrors: 0, othersAffected: 0 });
      expect(counts.stored).toBeGreaterThan(counts.tried / 10);
    },
    within(60_000),
  );

  it('R21: no secret, token or user field of those runs appears where it must not', () => {
    figure('R21', { marks, found: leaks.length }, searchedAt);
    expect(leaks).toEqual([]);
    expect(marks).toBeGreaterThan(0);
  });
});
