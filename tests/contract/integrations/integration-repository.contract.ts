import { defaultHostAppSettings } from '../../../src/domain/partners/host-app';
import {
  defaultIntegrationSettings,
  type IntegrationRecord,
  type IntegrationSettings,
  type Proposal,
} from '../../../src/domain/partners/integrations/integration';
import { defaultMiniappSettings } from '../../../src/domain/partners/miniapp';
import type { IntegrationKey, IntegrationRepository } from '../../../src/domain/partners/ports';
import type { PartnerKind } from '../../../src/domain/partners/registry-errors';
import { notIds } from '../each-database';
import { auditOf, type RegistryHarness } from '../partners/partner-repository.contract';

export interface IntegrationHarness extends RegistryHarness {
  readonly integrations: IntegrationRepository;
}

const key: IntegrationKey = { clientId: 'host_1', appId: 'app_1' };
const accepted: IntegrationSettings = {
  ...defaultIntegrationSettings,
  status: 'accepted',
  features: { sso: true, events: false },
  merchantId: 'merchant-1',
};

/** What the registry may rely on, whoever keeps the integrations. */
export function integrationRepositoryContract(name: string, open: () => Promise<IntegrationHarness>): void {
  describe(`IntegrationRepository: ${name}`, () => {
    let harness: IntegrationHarness;
    let integrations: IntegrationRepository;
    beforeEach(async () => {
      harness = await open();
      ({ integrations } = harness);
      for (const id of ['host_1', 'host_2', 'host_1-x']) {
        await harness.hostApps.create({ id, settings: { ...defaultHostAppSettings, name: id }, credentials: {} }, auditOf('partner'));
      }
      for (const id of ['app_1', 'app_2']) {
        await harness.miniapps.create({ id, settings: { ...defaultMiniappSettings, name: id }, credentials: {} }, auditOf('partner'));
      }
    });
    const put = (id: string, settings: IntegrationSettings, of = key) =>
      integrations.put(of, id, () => ({ settings, audit: auditOf('put') }));
    const removed = () => auditOf('removed');
    const actions = async () => (await harness.audit()).map(({ action }) => action).filter((action) => action !== 'partner');
    const namesOf = (found: readonly IntegrationRecord[]) => found.map(({ clientId, appId }) => `${clientId}/${appId}`);

    it('keeps an agreement whole, under the id given at first', async () => {
      const stored = await put('int_1', accepted);
      expect(stored).toEqual({ id: 'int_1', ...key, version: 1, settings: accepted });
      const { merchantId: _, ...without } = { ...accepted, status: 'suspended' as const };
      expect(await put('int_2', without)).toEqual({ id: 'int_1', ...key, version: 2, settings: without });
      expect(await integrations.find(key)).toEqual({ id: 'int_1', ...key, version: 2, settings: without });
      expect(Object.isFrozen((await integrations.find(key))?.settings.features)).toBe(true);
      expect(await actions()).toEqual(['put', 'put']);
    });

    it('passes the stored record to the change, or nothing if there is none', async () => {
      const seen: (IntegrationRecord | undefined)[] = [];
      const reviewed = (present: IntegrationRecord | undefined) => {
        seen.push(present);
        return { settings: accepted, audit: auditOf('put') };
      };
      const first = await integrations.put(key, 'int_1', reviewed);
      await integrations.put(key, 'int_2', reviewed);
      expect(seen).toEqual([undefined, first]);
    });

    it('writes nothing where there is nothing to change', async () => {
      const stored = await put('int_1', accepted);
      expect(await integrations.put(key, 'int_2', () => undefined)).toEqual(stored);
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

    it('lists pages by Client ID, then App ID, optionally of one partner', async () => {
      for (const [i, clientId] of ['host_2', 'host_1-x', 'host_1'].entries()) {
        for (const appId of ['app_2', 'app_1']) await put(`int_${i}_${appId}`, accepted, { clientId, appId });
      }
      const all = ['host_1/app_1', 'host_1/app_2', 'host_1-x/app_1', 'host_1-x/app_2', 'host_2/app_1', 'host_2/app_2'];
      expect(namesOf(await integrations.list({ limit: 10 }, {}))).toEqual(all);
      for (const [i, after] of all.entries()) {
        expect(namesOf(await integrations.list({ limit: 2, after }, {}))).toEqual(all.slice(i + 1, i + 3));
      }
      expect(namesOf(await integrations.list({ limit: 10 }, { clientId: 'host_1' }))).toEqual(all.slice(0, 2));
      expect(namesOf(await integrations.list({ limit: 2, after: all[1] }, { appId: 'app_2' }))).toEqual([all[3], all[5]]);
    });

    it('removes an agreement once', async () => {
      await put('int_1', accepted);
      expect(await integrations.remove({ ...key, appId: 'app_2' }, removed)).toBe(false);
      expect(await integrations.remove(key, removed)).toBe(true);
      expect(await integrations.remove(key, removed)).toBe(false);
      expect(await integrations.find(key)).toBeUndefined();
      expect(await actions()).toEqual(['put', 'removed']);
    });

    it('removes nothing where its audit row is not made', async () => {
      const stored = await put('int_1', accepted);
      const seen: IntegrationRecord[] = [];
      const refuse = (present: IntegrationRecord): never => {
        seen.push(present);
        throw new Error('Not this one');
      };
      await expect(integrations.remove(key, refuse)).rejects.toThrow('Not this one');
      expect([seen, await integrations.find(key), await actions()]).toEqual([[stored], stored, ['put']]);
    });

    const proposal = { by: 'host-app', note: 'From the harbour – ⛴', at: 1_700_000_000_000 } as const;
    const proposed = { ...defaultIntegrationSettings, features: { sso: true } };
    const propose = (by: PartnerKind, of = key, more: Partial<Proposal> = {}) => {
      const opened: number[] = [];
      const change = (_present: IntegrationRecord | undefined, open: number) => {
        opened.push(open);
        return { settings: proposed, proposal: { ...proposal, ...more, by }, audit: auditOf('proposed') };
      };
      return integrations.propose(of, `int ${of.clientId} ${of.appId}`, { by, change }).then((stored) => ({ stored, open: opened[0] }));
    };

    it('keeps a proposal, declined or not, until something else is agreed', async () => {
      const { stored } = await propose('host-app');
      expect(stored).toEqual({ id: 'int host_1 app_1', ...key, version: 1, settings: proposed, proposal });
      expect(await integrations.find(key)).toEqual(stored);
      const declined = { ...proposal, declinedAt: proposal.at + 1 };
      await integrations.put(key, 'int_2', () => ({ settings: proposed, proposal: declined, audit: auditOf('declined') }));
      expect((await integrations.list({ limit: 10 }, {}))[0]?.proposal).toEqual(declined);
      await put('int_3', accepted);
      expect(await integrations.find(key)).toEqual({ id: stored.id, ...key, version: 3, settings: accepted });
      expect(await actions()).toEqual(['proposed', 'declined', 'put']);
    });

    it.each(['host-app', 'miniapp'] as const)('counts the proposals of one %s that wait for an answer', async (by) => {
      const others = ['1', '2'].map((n) => (by === 'host-app' ? { ...key, appId: `app_${n}` } : { ...key, clientId: `host_${n}` }));
      const other = by === 'host-app' ? 'miniapp' : 'host-app';
      await propose(other, { clientId: 'host_1-x', appId: 'app_1' });
      expect((await propose(by, others[0])).open).toBe(0);
      expect((await propose(by, others[1])).open).toBe(1);
      expect((await propose(by, others[1], { declinedAt: 5 })).open).toBe(2);
      expect((await propose(by, others[0])).open).toBe(1);
      await put('int_9', accepted, others[0]);
      expect((await propose(by, others[1])).open).toBe(0);
    });

    it.each(['host-app', 'miniapp'] as const)('lets one %s open its proposals one after the other, so that a limit holds', async (by) => {
      const pairs = by === 'host-app' ? ['app_1', 'app_2'] : ['host_1', 'host_2', 'host_1-x'];
      const tried = pairs.map((id) => propose(by, by === 'host-app' ? { ...key, appId: id } : { ...key, clientId: id }));
      const counted = (await Promise.all(tried)).map(({ open }) => open);
      expect(counted.sort()).toEqual(pairs.map((_id, i) => i));
    });

    it('lets one of a dozen concurrent decisions win, and shows it to the others', async () => {
      await propose('host-app');
      const decide = (i: number) =>
        integrations.put(key, 'int_2', (present) =>
          present?.proposal ? { settings: accepted, audit: auditOf(`won by ${i}`) } : undefined,
        );
      const take = integrations.remove(key, (present) => {
        if (!present.proposal) throw new Error('Decided already');
        return auditOf('withdrawn');
      });
      const ended = await Promise.allSettled([
        ...Array.from({ length: 6 }, (_, i) => decide(i)),
        take,
        ...Array.from({ length: 5 }, (_, i) => decide(i + 6)),
      ]);
      const decided = (await actions()).filter((action) => /^won|withdrawn/.test(action));
      expect(decided).toHaveLength(1);
      expect(ended.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
      expect((await integrations.find(key))?.settings).toEqual(decided[0] === 'withdrawn' ? undefined : accepted);
    });

    it('goes with either of its partners', async () => {
      await put('int_1', accepted);
      await put('int_2', accepted, { ...key, appId: 'app_2' });
      await put('int_3', accepted, { ...key, clientId: 'host_2' });
      await harness.miniapps.remove('app_2', auditOf('partner'));
      expect(namesOf(await integrations.list({ limit: 10 }, {}))).toEqual(['host_1/app_1', 'host_2/app_1']);
      await harness.hostApps.remove('host_1', auditOf('partner'));
      expect(namesOf(await integrations.list({ limit: 10 }, {}))).toEqual(['host_2/app_1']);
    });

    it.each(notIds)('never takes %s for an id, though an agreement is there', async (_what, id) => {
      await put('int_1', accepted);
      const missing = id as string;
      for (const wrong of [
        { ...key, clientId: missing },
        { ...key, appId: missing },
      ]) {
        await expect(integrations.find(wrong)).rejects.toThrow();
        await expect(integrations.remove(wrong, removed)).rejects.toThrow();
        await expect(put('int_2', accepted, wrong)).rejects.toThrow();
      }
      await expect(put(missing, accepted)).rejects.toThrow();
      expect(await actions()).toEqual(['put']);
    });
  });
}
