import { MemoryIntegrationRepository } from '../../../src/adapters/out/memory/integrations/memory-integration-repository';
import { MemoryPartnerDirectory } from '../../../src/adapters/out/memory/partners/memory-partner-directory';
import { memoryHostApps, memoryMiniapps } from '../../../src/adapters/out/memory/partners/memory-partner-repository';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import type { AuditRow } from '../../../src/adapters/out/postgres/audit/audit-entry.schema';
import { auditRecordFrom } from '../../../src/adapters/out/postgres/audit/audit-entry.schema';
import type { DirectoryChange } from '../../../src/adapters/out/postgres/changes/change-feed';
import { CachedPartnerDirectory } from '../../../src/adapters/out/postgres/partners/cached-partner-directory';
import { hostAppTable, miniappTable } from '../../../src/adapters/out/postgres/partners/partner-table';
import { PostgresIntegrationRepository } from '../../../src/adapters/out/postgres/integrations/postgres-integration-repository';
import { PostgresPartnerRepository } from '../../../src/adapters/out/postgres/partners/postgres-partner-repository';
import type { IntegrationRow } from '../../../src/adapters/out/postgres/integrations/integration.schema';
import { defaultHostAppSettings, type HostApp, type HostAppSettings } from '../../../src/domain/partners/host-app';
import { defaultIntegrationSettings, type EventChecker } from '../../../src/domain/partners/integrations/integration';
import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../../src/domain/partners/miniapp';
import { until } from '../../support/service/service';
import { testBox } from '../../support/postgres/test-box';
import { integrationRepositoryContract } from '../integrations/integration-repository.contract';
import { onEachDatabase } from '../each-database';
import { partnerDirectoryContract } from './partner-directory.contract';
import { sharedKeysContract } from '../key-sharing/shared-keys.contract';
import { auditOf, credential, partnerRepositoryContract } from './partner-repository.contract';

const inMemory = async () => {
  const registry = new MemoryRegistry();
  return {
    hostApps: memoryHostApps(registry),
    miniapps: memoryMiniapps(registry),
    integrations: new MemoryIntegrationRepository(registry),
    directory: new MemoryPartnerDirectory(registry),
    audit: async () => registry.audit,
  };
};
partnerRepositoryContract('memory', inMemory);
sharedKeysContract('memory', inMemory);
integrationRepositoryContract('memory', inMemory);
partnerDirectoryContract('memory', inMemory);

onEachDatabase((name, database) => {
  let now = 0;
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const directory = new CachedPartnerDirectory({ db, box, now: () => now });
    return {
      hostApps: new PostgresPartnerRepository<HostApp, HostAppSettings>({
        db,
        box,
        table: hostAppTable,
        onChange: (clientId) => directory.forget({ clientId }),
      }),
      miniapps: new PostgresPartnerRepository<Miniapp, MiniappSettings>({
        db,
        box,
        table: miniappTable,
        onChange: (appId) => directory.forget({ appId }),
      }),
      integrations: new PostgresIntegrationRepository({ db, onChange: (key) => directory.forget(key) }),
      directory,
      audit: async () => (await db.query<AuditRow[]>('select * from audit_log order by id')).map(auditRecordFrom),
    };
  };
  partnerRepositoryContract(name, inDatabase);
  sharedKeysContract(name, inDatabase);
  integrationRepositoryContract(name, inDatabase);
  partnerDirectoryContract(name, inDatabase);

  it(`${name}: this version and the previous one read each other's integrations (ADR 034)`, async () => {
    const { hostApps, miniapps, integrations } = await inDatabase();
    const { db } = database();
    await hostApps.create({ id: 'host_1', settings: { ...defaultHostAppSettings, name: 'H' }, credentials: {} }, auditOf('created'));
    await miniapps.create({ id: 'app_1', settings: { ...defaultMiniappSettings, name: 'M' }, credentials: {} }, auditOf('created'));
    const key = { clientId: 'host_1', appId: 'app_1' };
    const put = (hostAppEventsCheckedBy: EventChecker) =>
      integrations.put(key, 'int_1', () => ({
        settings: { ...defaultIntegrationSettings, hostAppEventsCheckedBy },
        audit: auditOf('put'),
      }));
    for (const [checker, before] of [
      ['miniapp', false],
      ['host_app', true],
      ['both', true],
    ] as const) {
      await put(checker);
      const [row] = await db.query<IntegrationRow[]>('select settings from integrations');
      expect(row?.settings).toMatchObject({ hostAppEventsCheckedBy: checker, checkSenderCredentials: before });
      expect((await integrations.find(key))?.settings.hostAppEventsCheckedBy).toBe(checker);
      await db.query(`update integrations set settings = settings - 'hostAppEventsCheckedBy'`);
      expect((await integrations.find(key))?.settings).toMatchObject({ hostAppEventsCheckedBy: before ? 'both' : 'miniapp' });
    }
  });

  describe(`CachedPartnerDirectory: ${name}`, () => {
    const settings = { ...defaultHostAppSettings, name: 'H' };
    const credentials = { secret_key: { current: credential('canary-secret') } };
    /** A host app, and the directory of another instance, which hears of nothing. */
    const open = async () => {
      const { hostApps } = await inDatabase();
      await hostApps.create({ id: 'host_1', settings, credentials }, auditOf('created'));
      return { hostApps, directory: new CachedPartnerDirectory({ db: database().db, box: testBox(), now: () => now }) };
    };
    const rename = (hostApps: Awaited<ReturnType<typeof open>>['hostApps'], to: string, id = 'host_1') =>
      hostApps.update(id, (partner) => ({ settings: { ...partner.settings, name: to }, audit: auditOf('changed') }));

    it('sees changes of another instance within a second', async () => {
      const { hostApps, directory } = await open();
      await directory.hostApp('host_1');
      await rename(hostApps, 'N');
      now += 999;
      expect((await directory.hostApp('host_1'))?.settings.name).toBe('H');
      now += 1;
      expect((await directory.hostApp('host_1'))?.settings.name).toBe('N');
    });

    it('knows for a second that there is none, and then asks again', async () => {
      const { hostApps, directory } = await open();
      expect(await directory.hostApp('host_2')).toBeUndefined();
      await hostApps.create({ id: 'host_2', settings, credentials: {} }, auditOf('created'));
      expect(await directory.hostApp('host_2')).toBeUndefined();
      now += 1000;
      expect(await directory.hostApp('host_2')).toBeDefined();
    });

    it('checks many records in one statement, and gives each caller its own', async () => {
      const { hostApps, miniapps, integrations, directory: listening } = await inDatabase();
      const ids = Array.from({ length: 150 }, (_, n) => `p_${String(n)}`);
      for (const id of ids) {
        await hostApps.create({ id, settings, credentials: {} }, auditOf('created'));
        await miniapps.create({ id, settings: { ...defaultMiniappSettings, name: 'M' }, credentials: {} }, auditOf('created'));
        await integrations.put({ clientId: id, appId: id }, id, () => ({ settings: defaultIntegrationSettings, audit: auditOf('put') }));
      }
      const directory = new CachedPartnerDirectory({ db: database().db, box: testBox(), now: () => now });
      const all = () =>
        Promise.all(ids.flatMap((id) => [directory.hostApp(id), directory.miniapp(id), directory.integrationRecord(id, id)]));
      const before = await all();
      await rename(hostApps, 'N', 'p_7');
      await database().db.query(`update integrations set version = version + 1 where client_id = 'p_70'`);
      await database().db.query(`delete from miniapps where id = 'p_149'`);
      now += 1000;
      const after = await all();
      const changed = after.flatMap((record, index) => (record === before[index] ? [] : [index]));
      expect(changed).toEqual([7 * 3, 70 * 3 + 2, 149 * 3 + 1, 149 * 3 + 2]);
      expect([after[7 * 3], after[70 * 3 + 2], after[149 * 3 + 1], after[149 * 3 + 2]]).toEqual([
        await listening.hostApp('p_7'),
        await listening.integrationRecord('p_70', 'p_70'),
        undefined,
        undefined,
      ]);
    });

    it('keeps the same object over the seconds while the version stays', async () => {
      const { hostApps, directory } = await open();
      const first = await directory.hostApp('host_1');
      now += 5000;
      expect(await directory.hostApp('host_1')).toBe(first);
      await rename(hostApps, 'N');
      now += 5000;
      expect(await directory.hostApp('host_1')).not.toBe(first);
    });

    it('does not confuse a new partner with a removed one of the same id and version', async () => {
      const { hostApps, directory } = await open();
      expect((await directory.hostApp('host_1'))?.version).toBe(1);
      await hostApps.remove('host_1', auditOf('removed'));
      await hostApps.create({ id: 'host_1', settings, credentials: { secret_key: { current: credential('new') } } }, auditOf('created'));
      now += 1000;
      const found = await directory.hostApp('host_1');
      expect([found?.version, found?.credentials.secret_key?.current?.secret.reveal()]).toEqual([1, 'new']);
    });

    it('reads once for a hundred who ask at once', async () => {
      const { directory } = await open();
      const found = await Promise.all(Array.from({ length: 100 }, () => directory.hostApp('host_1')));
      expect(new Set(found).size).toBe(1);
    });

    it('reads covered records from memory until it gets a notice of a change', async () => {
      const { hostApps } = await open();
      const feed = { covers: () => true };
      const directory = new CachedPartnerDirectory({ db: database().db, box: testBox(), now: () => now, feed });
      const before = await directory.hostApp('host_1');
      await rename(hostApps, 'N');
      now += 5000;
      expect(await directory.hostApp('host_1')).toBe(before);
      directory.forget('anything');
      expect((await directory.hostApp('host_1'))?.settings.name).toBe('N');
    });

    it('checks records of half a minute in the background, and so finds unnoticed changes', async () => {
      const { hostApps, miniapps, integrations } = await inDatabase();
      const directory = new CachedPartnerDirectory({ db: database().db, box: testBox(), now: () => now, feed: { covers: () => true } });
      for (const id of ['p_1', 'p_2']) {
        await hostApps.create({ id, settings, credentials: {} }, auditOf('created'));
        await miniapps.create({ id, settings: { ...defaultMiniappSettings, name: 'M' }, credentials: {} }, auditOf('created'));
        await integrations.put({ clientId: id, appId: id }, id, () => ({ settings: defaultIntegrationSettings, audit: auditOf('put') }));
      }
      const all = () =>
        Promise.all(['p_1', 'p_2'].flatMap((id) => [directory.hostApp(id), directory.miniapp(id), directory.integrationRecord(id, id)]));
      const before = await all();
      for (const table of ['host_apps', 'miniapps']) {
        await database().db.query(`update ${table} set version = version + 1 where id = 'p_2'`);
      }
      await database().db.query(`update integrations set version = version + 1 where client_id = 'p_2'`);
      now += 30_000;
      expect(await all()).toEqual(before);
      const after = await until(all, (found) => found.slice(3).every((record, index) => record !== before[index + 3]));
      expect(after.slice(0, 3).map((record, index) => record === before[index])).toEqual([true, true, true]);
      expect(after.slice(3).map((record) => record?.version)).toEqual([2, 2, 2]);
    });

    it('forgets the agreements of a partner with it, and no others', async () => {
      const { hostApps, miniapps, integrations } = await inDatabase();
      const ids = ['a', 'a"', '"a', 'a","b', 'b'];
      for (const id of ids) {
        await hostApps.create({ id, settings, credentials: {} }, auditOf('created'));
        await miniapps.create({ id, settings: { ...defaultMiniappSettings, name: 'M' }, credentials: {} }, auditOf('created'));
      }
      const pairs = ids.flatMap((clientId) => ids.map((appId) => ({ clientId, appId })));
      const change = () => ({ settings: defaultIntegrationSettings, audit: auditOf('put') });
      for (const pair of pairs) await integrations.put(pair, JSON.stringify(pair), change);
      const feed = { covers: () => true };
      const directory = new CachedPartnerDirectory({ db: database().db, box: testBox(), now: () => now, feed });
      const all = () => Promise.all(pairs.map(({ clientId, appId }) => directory.integrationRecord(clientId, appId)));
      const readAnew = async (change: DirectoryChange) => {
        const before = await all();
        await database().db.query('update integrations set version = version + 1');
        directory.forget(change);
        const after = await all();
        return pairs.filter((_pair, i) => after[i] !== before[i]);
      };
      expect(await readAnew({ clientId: 'a' })).toEqual(pairs.filter(({ clientId }) => clientId === 'a'));
      expect(await readAnew({ appId: 'b' })).toEqual(pairs.filter(({ appId }) => appId === 'b'));
      expect(await readAnew({ clientId: 'a","b', appId: 'a' })).toEqual([{ clientId: 'a","b', appId: 'a' }]);
      expect(await readAnew('anything')).toEqual(pairs);
    });

    it('keeps no secret readable', async () => {
      await open();
      const rows: { shown: string }[] = await database().db.query(
        'select t::text as shown from partner_credentials t union all select t::text from audit_log t',
      );
      expect(rows).toHaveLength(2);
      const shown = rows.map((row) => row.shown.replace('sha256:canary-secret', '')).join('\n');
      expect(shown).not.toContain('canary');
      expect(shown).not.toContain(Buffer.from('canary').toString('hex'));
    });

    it('opens no credential that was moved to another partner', async () => {
      const { hostApps } = await open();
      await hostApps.create({ id: 'host_2', settings, credentials: {} }, auditOf('created'));
      await database().db.query(`update partner_credentials set partner_id = 'host_2'`);
      const current = (await hostApps.find('host_2'))?.credentials.secret_key?.current;
      expect(current).toMatchObject({ isUnreadable: true });
      expect(() => current?.secret.reveal()).toThrow('cannot be decrypted');
    });

    it.each(['update audit_log set actor = $1', 'delete from audit_log where actor <> $1'])(
      'refuses to rewrite the audit trail: %s',
      async (text) => {
        await open();
        await expect(database().db.query(text, ['nobody'])).rejects.toThrow('append only');
      },
    );
  });
});
