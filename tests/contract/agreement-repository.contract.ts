import { defaultHostAppSettings } from '../../src/domain/partners/host-app';
import { defaultIntegrationSettings, type Agreement, type IntegrationSettings } from '../../src/domain/partners/integration';
import { defaultMiniappSettings } from '../../src/domain/partners/miniapp';
import type { AgreementKey, AgreementRepository } from '../../src/domain/partners/ports';
import { notIds } from './each-database';
import { auditOf, type RegistryHarness } from './partner-repository.contract';

export interface AgreementHarness extends RegistryHarness {
  readonly agreements: AgreementRepository;
}

const key: AgreementKey = { clientId: 'host_1', appId: 'app_1' };
const accepted: IntegrationSettings = {
  ...defaultIntegrationSettings,
  status: 'accepted',
  features: { sso: true, events: false },
  merchantId: 'merchant-1',
};

/** What the registry may rely on, whoever keeps the integrations. */
export function agreementRepositoryContract(name: string, open: () => Promise<AgreementHarness>): void {
  describe(`AgreementRepository: ${name}`, () => {
    let harness: AgreementHarness;
    let agreements: AgreementRepository;
    beforeEach(async () => {
      harness = await open();
      ({ agreements } = harness);
      for (const id of ['host_1', 'host_2', 'host_1-x']) {
        await harness.hostApps.create({ id, settings: { ...defaultHostAppSettings, name: id }, credentials: {} }, auditOf('partner'));
      }
      for (const id of ['app_1', 'app_2']) {
        await harness.miniapps.create({ id, settings: { ...defaultMiniappSettings, name: id }, credentials: {} }, auditOf('partner'));
      }
    });
    const put = (id: string, settings: IntegrationSettings, of = key) =>
      agreements.put(of, id, () => ({ settings, audit: auditOf('put') }));
    const actions = async () => (await harness.audit()).map(({ action }) => action).filter((action) => action !== 'partner');
    const namesOf = (found: readonly Agreement[]) => found.map(({ clientId, appId }) => `${clientId}/${appId}`);

    it('keeps an agreement whole, under the id given at first', async () => {
      const stored = await put('int_1', accepted);
      expect(stored).toEqual({ id: 'int_1', ...key, version: 1, settings: accepted });
      const { merchantId: _, ...without } = { ...accepted, status: 'suspended' as const };
      expect(await put('int_2', without)).toEqual({ id: 'int_1', ...key, version: 2, settings: without });
      expect(await agreements.find(key)).toEqual({ id: 'int_1', ...key, version: 2, settings: without });
      expect(Object.isFrozen((await agreements.find(key))?.settings.features)).toBe(true);
      expect(await actions()).toEqual(['put', 'put']);
    });

    it('hands the change what is stored, and nothing where there is nothing', async () => {
      const seen: (Agreement | undefined)[] = [];
      const look = (present: Agreement | undefined) => {
        seen.push(present);
        return { settings: accepted, audit: auditOf('put') };
      };
      const first = await agreements.put(key, 'int_1', look);
      await agreements.put(key, 'int_2', look);
      expect(seen).toEqual([undefined, first]);
    });

    it('writes nothing where there is nothing to change', async () => {
      const stored = await put('int_1', accepted);
      expect(await agreements.put(key, 'int_2', () => undefined)).toEqual(stored);
      expect(await actions()).toEqual(['put']);
    });

    it('refuses an agreement with a partner that is not there', async () => {
      await expect(put('int_1', accepted, { ...key, clientId: 'host_9' })).rejects.toMatchObject({
        name: 'UnknownPartner',
        partner: 'host-app',
      });
      await expect(put('int_1', accepted, { ...key, appId: 'app_9' })).rejects.toMatchObject({
        name: 'UnknownPartner',
        partner: 'miniapp',
      });
      expect(await actions()).toEqual([]);
    });

    it('makes twenty changes at once one after the other, the first of them new', async () => {
      const versions = await Promise.all(Array.from({ length: 20 }, (_, i) => put(`int_${i}`, accepted)));
      expect(versions.map(({ version }) => version).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
      expect(new Set(versions.map(({ id }) => id)).size).toBe(1);
      expect(await actions()).toHaveLength(20);
    });

    it('lists by Client ID, then App ID, in pages, of one partner where asked', async () => {
      for (const [i, clientId] of ['host_2', 'host_1-x', 'host_1'].entries()) {
        for (const appId of ['app_2', 'app_1']) await put(`int_${i}_${appId}`, accepted, { clientId, appId });
      }
      const all = ['host_1/app_1', 'host_1/app_2', 'host_1-x/app_1', 'host_1-x/app_2', 'host_2/app_1', 'host_2/app_2'];
      expect(namesOf(await agreements.list({ limit: 10 }, {}))).toEqual(all);
      for (const [i, after] of all.entries()) {
        expect(namesOf(await agreements.list({ limit: 2, after }, {}))).toEqual(all.slice(i + 1, i + 3));
      }
      expect(namesOf(await agreements.list({ limit: 10 }, { clientId: 'host_1' }))).toEqual(all.slice(0, 2));
      expect(namesOf(await agreements.list({ limit: 2, after: all[1] }, { appId: 'app_2' }))).toEqual([all[3], all[5]]);
    });

    it('removes an agreement once', async () => {
      await put('int_1', accepted);
      expect(await agreements.remove({ ...key, appId: 'app_2' }, auditOf('removed'))).toBe(false);
      expect(await agreements.remove(key, auditOf('removed'))).toBe(true);
      expect(await agreements.remove(key, auditOf('removed'))).toBe(false);
      expect(await agreements.find(key)).toBeUndefined();
      expect(await actions()).toEqual(['put', 'removed']);
    });

    it('goes with either of its partners', async () => {
      await put('int_1', accepted);
      await put('int_2', accepted, { ...key, appId: 'app_2' });
      await put('int_3', accepted, { ...key, clientId: 'host_2' });
      await harness.miniapps.remove('app_2', auditOf('partner'));
      expect(namesOf(await agreements.list({ limit: 10 }, {}))).toEqual(['host_1/app_1', 'host_2/app_1']);
      await harness.hostApps.remove('host_1', auditOf('partner'));
      expect(namesOf(await agreements.list({ limit: 10 }, {}))).toEqual(['host_2/app_1']);
    });

    it.each(notIds)('never takes %s for an id, though an agreement is there', async (_what, id) => {
      await put('int_1', accepted);
      const missing = id as string;
      for (const wrong of [
        { ...key, clientId: missing },
        { ...key, appId: missing },
      ]) {
        await expect(agreements.find(wrong)).rejects.toThrow();
        await expect(agreements.remove(wrong, auditOf('removed'))).rejects.toThrow();
        await expect(put('int_2', accepted, wrong)).rejects.toThrow();
      }
      await expect(put(missing, accepted)).rejects.toThrow();
      expect(await actions()).toEqual(['put']);
    });
  });
}
