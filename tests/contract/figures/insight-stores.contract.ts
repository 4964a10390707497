import type { AuditEntry } from '../../../src/domain/partners/ports';
import type { MutedProblemRepository } from '../../../src/domain/problems/ports';
import type { LiveIntegrationRepository, ProbeRepository } from '../../../src/domain/readiness/ports';

export interface InsightStores {
  readonly mutes: MutedProblemRepository;
  readonly probes: ProbeRepository;
  readonly live: LiveIntegrationRepository;
  audited(): Promise<readonly { readonly action: string }[]>;
}

const at = Date.UTC(2026, 5, 1);
const audit = (action: string): AuditEntry => ({ actor: 'operator', action, subject: 'integration:host_1/app_1', requestId: 'req-1', at });

/** Notes about problems and integrations are kept, by any store. */
export function insightStoresContract(name: string, open: () => Promise<InsightStores>): void {
  describe(`stored notes about problems and integrations: ${name}`, () => {
    let records: InsightStores;
    beforeEach(async () => {
      records = await open();
    });
    const actions = async () => (await records.audited()).map(({ action }) => action);

    it('keeps a mute of exactly one problem, the latest one, with its audit rows', async () => {
      const key = { errorCode: 'INVALID_SIGNATURE', failedSide: undefined, failedStep: undefined, clientId: 'host_1', appId: undefined };
      await records.mutes.mute({ ...key, actor: 'operator', reason: 'known', at }, audit('problem.muted'));
      await records.mutes.mute({ ...key, actor: 'operator', reason: 'still known', at: at + 1 }, audit('problem.muted'));
      await records.mutes.mute({ ...key, clientId: 'host_2', actor: 'operator', reason: 'other', at: at + 2 }, audit('problem.muted'));
      expect((await records.mutes.list()).map(({ reason }) => reason)).toEqual(['other', 'still known']);
      expect(await records.mutes.unmute({ ...key, appId: 'app_1' }, audit('problem.unmuted'))).toBe(false);
      expect(await records.mutes.unmute(key, audit('problem.unmuted'))).toBe(true);
      expect(await records.mutes.list()).toEqual([{ ...key, clientId: 'host_2', actor: 'operator', reason: 'other', at: at + 2 }]);
      expect(await actions()).toEqual(['problem.muted', 'problem.muted', 'problem.muted', 'problem.unmuted']);
    });

    it('keeps the last look at each URL of both partners', async () => {
      const probe = {
        partnerKind: 'host-app',
        partnerId: 'host_1',
        endpoint: 'user_data_url',
        url: 'https://a.example/',
        at,
        ms: 12,
      } as const;
      await records.probes.keep({ ...probe, problem: 'dns' });
      await records.probes.keep({ ...probe, status: 405, tlsUntil: at + 5 });
      await records.probes.keep({ ...probe, partnerKind: 'miniapp', partnerId: 'app_1' });
      await records.probes.keep({ ...probe, partnerId: 'host_2' });
      const kept = await records.probes.list([
        { clientId: 'host_1', appId: 'app_1' },
        { clientId: 'host_3', appId: 'app_1' },
      ]);
      expect(
        kept.map(({ partnerKind, partnerId, status, problem, tlsUntil }) => [partnerKind, partnerId, status, problem, tlsUntil]),
      ).toEqual([
        ['host-app', 'host_1', 405, undefined, at + 5],
        ['miniapp', 'app_1', undefined, undefined, undefined],
      ]);
    });

    it('keeps which integrations are live', async () => {
      const live = { integrationId: 'int_1', at, actor: 'operator', reason: 'a date is a date', missing: ['tls', 'sign-on'] };
      expect(await records.live.list(['int_1'])).toEqual([]);
      await records.live.begin(live, audit('integration.went-live'));
      expect(await records.live.list(['int_2', 'int_1'])).toEqual([live]);
      expect(await records.live.list(['int_2'])).toEqual([]);
      expect(await records.live.end('int_2', audit('integration.back-to-test'))).toBe(false);
      expect(await records.live.end('int_1', audit('integration.back-to-test'))).toBe(true);
      expect(await records.live.list(['int_1'])).toEqual([]);
      expect(await actions()).toEqual(['integration.went-live', 'integration.back-to-test']);
    });
  });
}
