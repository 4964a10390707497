import { defaultHostAppSettings } from '../../../src/domain/partners/host-app';
import { defaultIntegrationSettings } from '../../../src/domain/partners/integrations/integration';
import { defaultMiniappSettings } from '../../../src/domain/partners/miniapp';
import type { PartnerDirectory } from '../../../src/domain/partners/ports';
import type { IntegrationHarness } from '../integrations/integration-repository.contract';
import { notIds } from '../each-database';
import { auditOf, credential } from './partner-repository.contract';

export interface DirectoryHarness extends IntegrationHarness {
  readonly directory: PartnerDirectory;
}

/** What the hot path may rely on, whoever stands behind the directory. */
export function partnerDirectoryContract(name: string, open: () => Promise<DirectoryHarness>): void {
  describe(`PartnerDirectory: ${name}`, () => {
    let harness: DirectoryHarness;
    let directory: PartnerDirectory;
    beforeEach(async () => {
      harness = await open();
      ({ directory } = harness);
    });
    const create = async (secret = 'secret-1') => {
      const credentials = { secret_key: { current: credential(secret) } };
      await harness.hostApps.create({ id: 'host_1', settings: { ...defaultHostAppSettings, name: 'H' }, credentials }, auditOf('created'));
      await harness.miniapps.create({ id: 'app_1', settings: { ...defaultMiniappSettings, name: 'M' }, credentials }, auditOf('created'));
      const change = () => ({ settings: defaultIntegrationSettings, audit: auditOf('put') });
      await harness.integrations.put({ clientId: 'host_1', appId: 'app_1' }, `int of ${secret}`, change);
    };
    const all = async () => [
      await directory.hostApp('host_1'),
      await directory.miniapp('app_1'),
      await directory.integrationRecord('host_1', 'app_1'),
    ];

    it('finds all three as they are stored, frozen', async () => {
      await create();
      const [hostApp, miniapp, integrationRecord] = await all();
      expect(hostApp).toEqual(await harness.hostApps.find('host_1'));
      expect(miniapp).toEqual(await harness.miniapps.find('app_1'));
      expect(integrationRecord).toEqual(await harness.integrations.find({ clientId: 'host_1', appId: 'app_1' }));
      for (const record of [hostApp, hostApp?.settings, miniapp, integrationRecord, integrationRecord?.settings])
        expect(Object.isFrozen(record)).toBe(true);
    });

    it('sees changes of this instance at once: new, changed, removed, created again', async () => {
      expect(await all()).toEqual([undefined, undefined, undefined]);
      await create('secret-1');
      expect(await all()).toMatchObject([{ version: 1 }, { version: 1 }, { version: 1 }]);
      await harness.hostApps.update('host_1', ({ settings }) => ({ settings: { ...settings, name: 'N' }, audit: auditOf('changed') }));
      expect(await directory.hostApp('host_1')).toMatchObject({ version: 2, settings: { name: 'N' } });
      await harness.hostApps.remove('host_1', auditOf('removed'));
      await harness.miniapps.remove('app_1', auditOf('removed'));
      expect(await all()).toEqual([undefined, undefined, undefined]);
      await create('secret-2');
      expect((await directory.hostApp('host_1'))?.credentials.secret_key?.current?.secret.reveal()).toBe('secret-2');
      expect(await directory.integrationRecord('host_1', 'app_1')).toMatchObject({ id: 'int of secret-2' });
    });

    it('finds an integration by its own id, and not by the id of a removed one', async () => {
      expect(await directory.integrationRecordById('int of secret-1')).toBeUndefined();
      await create('secret-1');
      expect(await directory.integrationRecordById('int of secret-1')).toBe(await directory.integrationRecord('host_1', 'app_1'));
      await harness.hostApps.remove('host_1', auditOf('removed'));
      await harness.miniapps.remove('app_1', auditOf('removed'));
      expect(await directory.integrationRecordById('int of secret-1')).toBeUndefined();
      await create('secret-2');
      expect(await directory.integrationRecordById('int of secret-1')).toBeUndefined();
      expect(await directory.integrationRecordById('int of secret-2')).toMatchObject({ clientId: 'host_1', appId: 'app_1' });
    });

    it('hands out the same object while nothing changed', async () => {
      await create();
      const before = await all();
      const after = await all();
      for (const [i, record] of before.entries()) expect(after[i]).toBe(record);
    });

    it('finds no partner by an impossible id', async () => {
      await create();
      for (const id of ['host_1\0', 'x'.repeat(65), 'HOST_1', ' host_1', '%']) {
        expect(await directory.hostApp(id)).toBeUndefined();
        expect(await directory.miniapp(id)).toBeUndefined();
        expect(await directory.integrationRecord(id, 'app_1')).toBeUndefined();
        expect(await directory.integrationRecord('host_1', id)).toBeUndefined();
      }
    });

    it.each(notIds)('never takes %s for an id, though partners are there', async (_what, id) => {
      await create();
      const missing = id as string;
      await expect(directory.hostApp(missing)).rejects.toThrow();
      await expect(directory.miniapp(missing)).rejects.toThrow();
      await expect(directory.integrationRecord(missing, 'app_1')).rejects.toThrow();
      await expect(directory.integrationRecord('host_1', missing)).rejects.toThrow();
      await expect(directory.integrationRecordById(missing)).rejects.toThrow();
    });
  });
}
