import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { DirectoryChange } from '../../../src/adapters/out/postgres/changes/change-feed';
import { SoleWriterFeed } from '../../../src/adapters/out/postgres/changes/change-feed';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { ServerAddress } from '../../../src/adapters/out/postgres/connection/server-address';
import { ListeningFeed, partnerFeedOf } from '../../../src/adapters/out/postgres/changes/listening-feed';
import { hostAppTable, miniappTable } from '../../../src/adapters/out/postgres/partners/partner-table';
import { PostgresIntegrationRepository } from '../../../src/adapters/out/postgres/integrations/postgres-integration-repository';
import { PostgresPartnerRepository } from '../../../src/adapters/out/postgres/partners/postgres-partner-repository';
import { defaultHostAppSettings, type HostApp, type HostAppSettings } from '../../../src/domain/partners/host-app';
import { defaultIntegrationSettings } from '../../../src/domain/partners/integrations/integration';
import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../../src/domain/partners/miniapp';
import { CollectingLog } from '../../support/collecting-log';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';
import { openDatabaseProxy, type DatabaseProxy } from '../../support/postgres/database-proxy';
import { until } from '../../support/service/service';
import { testBox } from '../../support/postgres/test-box';
import { auditOf, credential } from '../partners/partner-repository.contract';

const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('the change feed', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let log: CollectingLog;
  let received: DirectoryChange[];
  let feed: ListeningFeed;

  beforeAll(async () => {
    database = await openTestDatabase('postgres');
  }, 30_000);
  beforeEach(async () => {
    await database.wipe();
    proxy = await openDatabaseProxy(database.target.kind === 'postgres' ? database.target.url : '', 'pierhead-feed');
    log = new CollectingLog();
    received = [];
    feed = new ListeningFeed({ db: database.db, address: new ServerAddress(proxy.url), log });
  });
  afterEach(async () => {
    await feed.stop();
    await proxy.close();
  });
  afterAll(() => database.close());

  const begin = async (): Promise<void> => {
    feed.start((change) => received.push(change));
    await untilCovered();
  };
  /** Resolves when readings from now on are covered. */
  const untilCovered = async (): Promise<void> => {
    await until(
      async () => feed.covers(performance.now()),
      (covered) => covered,
    );
  };
  const untilLive = async (times: number): Promise<void> => {
    await until(
      async () => log.of('change-feed-live').length,
      (seen) => seen === times,
    );
  };
  let markers = 0;
  /** Resolves when all earlier notices have been heard. */
  const untilReceived = async (): Promise<void> => {
    const clientId = `marker-${String(++markers)}`;
    await database.db.query('select pg_notify($1, $2)', ['pierhead_changes', JSON.stringify([clientId, null])]);
    await until(
      async () => JSON.stringify(received.at(-1)),
      (last) => last === JSON.stringify({ clientId }),
    );
    received.pop();
  };
  /** The notices of `work`, and of nothing before it. */
  const receivedDuring = async (work: () => Promise<unknown>): Promise<DirectoryChange[]> => {
    await untilReceived();
    received.length = 0;
    await work();
    await untilReceived();
    return [...received];
  };

  const repositories = () => {
    const common = { db: database.db, box: testBox() };
    return {
      hostApps: new PostgresPartnerRepository<HostApp, HostAppSettings>({ ...common, table: hostAppTable }),
      miniapps: new PostgresPartnerRepository<Miniapp, MiniappSettings>({ ...common, table: miniappTable }),
      integrations: new PostgresIntegrationRepository(common),
    };
  };
  const credentials = { secret_key: { current: credential('one') } };
  const create = async () => {
    const { hostApps, miniapps, integrations } = repositories();
    await hostApps.create({ id: 'host_1', settings: { ...defaultHostAppSettings, name: 'H' }, credentials }, auditOf('created'));
    await miniapps.create({ id: 'app_1', settings: { ...defaultMiniappSettings, name: 'M' }, credentials }, auditOf('created'));
    const change = () => ({ settings: defaultIntegrationSettings, audit: auditOf('put') });
    await integrations.put({ clientId: 'host_1', appId: 'app_1' }, 'int_1', change);
  };

  it('reports every change of a partner, a credential or an integration once', async () => {
    await begin();
    const [hostApp, miniapp, pair] = [{ clientId: 'host_1' }, { appId: 'app_1' }, { clientId: 'host_1', appId: 'app_1' }];
    expect(await receivedDuring(create)).toEqual([hostApp, miniapp, pair]);
    const { hostApps, miniapps, integrations } = repositories();
    const update = ({ settings }: HostApp) => ({ settings, audit: auditOf('changed') });
    expect(await receivedDuring(() => hostApps.update('host_1', update))).toEqual([hostApp]);
    const revoke = ({ settings }: Miniapp) => ({
      settings,
      credentials: { secret_key: { current: undefined } },
      audit: auditOf('changed'),
    });
    expect(await receivedDuring(() => miniapps.update('app_1', revoke))).toEqual([miniapp]);
    const suspend = () => ({ settings: { ...defaultIntegrationSettings, status: 'suspended' as const }, audit: auditOf('put') });
    expect(await receivedDuring(() => integrations.put(pair, 'int_1', suspend))).toEqual([pair]);
    expect(await receivedDuring(() => hostApps.remove('host_1', auditOf('removed')))).toEqual(expect.arrayContaining([hostApp, pair]));
  });

  it.each([
    ['of a host app', `update host_apps set settings = settings where id = 'host_1'`, { clientId: 'host_1' }],
    ['of a host app’s credential', `update partner_credentials set sealed = sealed where partner_id = 'host_1'`, { clientId: 'host_1' }],
    ['of a miniapp’s credential', `delete from partner_credentials where partner_id = 'app_1'`, { appId: 'app_1' }],
    ['of everything', 'truncate integrations', 'anything'],
  ])('tells a change %s that was made by hand', async (_what, statement, change) => {
    await begin();
    await create();
    expect(await receivedDuring(() => database.db.query(statement))).toEqual([change]);
  });

  it('does not report a used credential, or a change that was rolled back', async () => {
    await begin();
    await create();
    expect(await receivedDuring(() => database.db.query('update partner_credentials set last_used_at = now()'))).toEqual([]);
    expect(await receivedDuring(() => database.db.query('begin; delete from miniapps; rollback'))).toEqual([]);
  });

  it('treats a notice that it does not understand as a change of anything', async () => {
    await begin();
    for (const notice of ['', 'x', '{}', '[1,2]', '[null,null]', '["a","b","c"]']) {
      expect(await receivedDuring(() => database.db.query('select pg_notify($1, $2)', ['pierhead_changes', notice]))).toEqual(['anything']);
    }
  });

  it('covers reads from after it began to listen, and none from before', async () => {
    const before = performance.now();
    expect(feed.covers(before)).toBe(false);
    await begin();
    expect(feed.covers(before)).toBe(false);
    expect(feed.covers(performance.now())).toBe(true);
    expect(log.lines.map(({ event }) => event)).toEqual(['change-feed-live']);
  });

  it('covers nothing that was read before its connection was lost, and reconnects', async () => {
    await begin();
    const before = performance.now();
    await database.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pierhead-feed' and datname = current_database()`,
    );
    await untilLive(2);
    await untilCovered();
    expect(feed.covers(before)).toBe(false);
    expect(await receivedDuring(create)).toHaveLength(3);
    expect(log.of('change-feed-lost')).toHaveLength(1);
  });

  it('covers nothing a second after its connection hangs, and reconnects', async () => {
    await begin();
    const hangsSince = performance.now();
    proxy.hang();
    await until(
      async () => feed.covers(performance.now()),
      (covered) => !covered,
    );
    expect(performance.now() - hangsSince).toBeLessThan(2000);
    await until(
      async () => log.of('change-feed-lost').length,
      (times) => times === 1,
    );
    proxy.mend();
    await untilCovered();
    expect(feed.covers(hangsSince)).toBe(false);
    expect(await receivedDuring(create)).toHaveLength(3);
    expect(proxy.open).toBe(1);
  });

  it('covers nothing if notices do not arrive, and logs that', async () => {
    proxy.swallowNotices();
    feed.start((change) => received.push(change));
    await until(
      async () => log.of('change-feed-blocked').length,
      (times) => times === 1,
    );
    expect(feed.covers(performance.now())).toBe(false);
    expect(log.of('change-feed-live')).toEqual([]);
    expect(proxy.open).toBe(0);
  });

  it('covers nothing on a session that does not listen, though it answers', async () => {
    await begin();
    proxy.unlisten();
    await untilLive(2);
    expect(log.of('change-feed-lost')).toHaveLength(1);
    expect(await receivedDuring(create)).toHaveLength(3);
  });

  it('covers nothing while a table sends no notices', async () => {
    await begin();
    await database.db.query('alter table miniapps disable trigger miniapps_notify_change');
    await until(
      async () => feed.covers(performance.now()),
      (covered) => !covered,
    );
    await database.db.query('alter table miniapps enable trigger miniapps_notify_change');
    await untilCovered();
    expect(log.of('change-feed-lost')).toHaveLength(1);
  });

  const beginAndHang = async (): Promise<void> => {
    await begin();
    proxy.hang();
  };
  const hangAndBegin = async (): Promise<void> => {
    proxy.hang();
    feed.start(() => undefined);
  };

  it.each([
    ['while it listens', begin],
    ['while its connection hangs', beginAndHang],
    ['while nothing answers', hangAndBegin],
  ])('stops %s, and leaves no connection behind', async (_when, reach) => {
    await reach();
    const before = performance.now();
    await feed.stop();
    expect(performance.now() - before).toBeLessThan(3000);
    proxy.mend();
    await until(
      async () => proxy.open,
      (open) => open === 0,
    );
    expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('stops at any moment of its beginning', async () => {
    for (let ms = 0; ms < 20; ms++) {
      const brief = new ListeningFeed({ db: database.db, address: new ServerAddress(proxy.url), log });
      brief.start(() => undefined);
      await pause(ms);
      await brief.stop();
    }
    expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('listens to the database of its data source', async () => {
    const own = partnerFeedOf({ db: database.db, log });
    own.start(() => undefined);
    await until(
      async () => own.covers(performance.now()),
      (covered) => covered,
    );
    await own.stop();
  });
});

it('has no other instance to listen to on the embedded database', () => {
  const db = createDataSource({ kind: 'embedded', stream: () => new PassThrough() });
  const feed = partnerFeedOf({ db, log: new CollectingLog() });
  expect(feed).toBeInstanceOf(SoleWriterFeed);
  expect(feed.covers(0)).toBe(true);
});
