import { MemoryIntegrationRepository } from '../../../src/adapters/out/memory/integrations/memory-integration-repository';
import { MemoryApprovedMiniappReader } from '../../../src/adapters/out/memory/miniapp-list/memory-approved-miniapp-reader';
import { memoryHostApps, memoryMiniapps } from '../../../src/adapters/out/memory/partners/memory-partner-repository';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { PostgresApprovedMiniappReader } from '../../../src/adapters/out/postgres/miniapp-list/postgres-approved-miniapp-reader';
import { hostAppTable, miniappTable } from '../../../src/adapters/out/postgres/partners/partner-table';
import { PostgresIntegrationRepository } from '../../../src/adapters/out/postgres/integrations/postgres-integration-repository';
import { PostgresPartnerRepository } from '../../../src/adapters/out/postgres/partners/postgres-partner-repository';
import type { ApprovedMiniappReader } from '../../../src/domain/partners/approved-miniapps';
import { defaultHostAppSettings, type HostApp, type HostAppSettings } from '../../../src/domain/partners/host-app';
import { defaultIntegrationSettings, type IntegrationSettings } from '../../../src/domain/partners/integrations/integration';
import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../../src/domain/partners/miniapp';
import type { IntegrationRepository, HostAppRepository, MiniappRepository } from '../../../src/domain/partners/ports';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase } from '../each-database';
import { auditOf } from '../partners/partner-repository.contract';

interface Harness {
  readonly list: ApprovedMiniappReader['list'];
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  readonly integrations: IntegrationRepository;
}

function approvedMiniappReaderContract(name: string, open: () => Promise<Harness>): void {
  describe(`ApprovedMiniappReader: ${name}`, () => {
    const page = { limit: 500 };
    const setUp = async () => {
      const harness = await open();
      const hostApp = (id: string, more: Partial<HostAppSettings> = {}) =>
        harness.hostApps.create({ id, settings: { ...defaultHostAppSettings, name: id, ...more }, credentials: {} }, auditOf('created'));
      const miniapp = (id: string, more: Partial<MiniappSettings> = {}) =>
        harness.miniapps.create({ id, settings: { ...defaultMiniappSettings, name: id, ...more }, credentials: {} }, auditOf('created'));
      let made = 0;
      const agree = (clientId: string, appId: string, more: Partial<IntegrationSettings> = {}) => {
        const settings = { ...defaultIntegrationSettings, status: 'accepted' as const, ...more };
        return harness.integrations.put({ clientId, appId }, `i-${String(++made)}`, () => ({ settings, audit: auditOf('put') }));
      };
      return { ...harness, hostApp, miniapp, agree };
    };

    it('shows the miniapps of accepted, listed integrations by App ID', async () => {
      const { list, hostApp, miniapp, agree } = await setUp();
      await hostApp('host_1');
      for (const id of ['app_c', 'app_s', 'app_p', 'app_u', 'app_other']) await miniapp(id);
      await miniapp('app_a', { longDescription: 'Long', logo: 'https://a.example/l.png', category: 'Travel' });
      for (const id of ['app_c', 'app_a']) await agree('host_1', id);
      await agree('host_1', 'app_s', { status: 'suspended' });
      await agree('host_1', 'app_p', { status: 'proposed' });
      await agree('host_1', 'app_u', { listed: false });
      const found = await list('host_1', page);
      expect(found).toMatchObject([
        { appId: 'app_a', name: 'app_a', longDescription: 'Long', logo: 'https://a.example/l.png', category: 'Travel' },
        { appId: 'app_c', name: 'app_c' },
      ]);
      const ids = found.map(({ id }) => id);
      expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
      expect(new Set(ids).size).toBe(2);
      const [second] = await list('host_1', { limit: 1, after: 'app_a' });
      expect(second?.id).toBe(ids[1]);
    });

    it('shows pages, and nothing behind the last', async () => {
      const { list, hostApp, miniapp, agree } = await setUp();
      await hostApp('host_1');
      for (const id of ['app_1', 'app_2', 'app_3']) {
        await miniapp(id);
        await agree('host_1', id);
      }
      const idsAfter = async (after?: string) => (await list('host_1', { limit: 2, after })).map(({ appId }) => appId);
      expect([await idsAfter(), await idsAfter('app_2'), await idsAfter('app_3')]).toEqual([['app_1', 'app_2'], ['app_3'], []]);
    });

    it('shows nothing for an unknown host app, or for one with a private list', async () => {
      const { list, hostApp, miniapp, agree } = await setUp();
      await hostApp('host_1', { publicMiniappList: false });
      await miniapp('app_1');
      await agree('host_1', 'app_1');
      expect([await list('host_1', page), await list('host_nobody', page)]).toEqual([[], []]);
    });
  });
}

approvedMiniappReaderContract('memory', async () => {
  const registry = new MemoryRegistry();
  let rolled = 0;
  const listed = new MemoryApprovedMiniappReader({ registry, chance: { next: () => (rolled += 0.1) % 1 } });
  return {
    list: (...args) => listed.list(...args),
    hostApps: memoryHostApps(registry),
    miniapps: memoryMiniapps(registry),
    integrations: new MemoryIntegrationRepository(registry),
  };
});

onEachDatabase((name, database) => {
  approvedMiniappReaderContract(name, async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    return {
      // Each time another instance, so that no page is kept.
      list: (...args) => new PostgresApprovedMiniappReader(db).list(...args),
      hostApps: new PostgresPartnerRepository<HostApp, HostAppSettings>({ db, box, table: hostAppTable }),
      miniapps: new PostgresPartnerRepository<Miniapp, MiniappSettings>({ db, box, table: miniappTable }),
      integrations: new PostgresIntegrationRepository({ db }),
    };
  });
});
