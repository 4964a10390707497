import type { AuditEntry } from '../../src/domain/partners/ports';
import type { MuteBook } from '../../src/domain/problems/ports';
import type { LiveBook, ProbeBook } from '../../src/domain/readiness/ports';

export interface InsightBooks {
  readonly mutes: MuteBook;
  readonly probes: ProbeBook;
  readonly live: LiveBook;
  audited(): Promise<readonly { readonly action: string }[]>;
}

const at = Date.UTC(2026, 5, 1);
const audit = (action: string): AuditEntry => ({ actor: 'operator', action, subject: 'integration:host_1/app_1', requestId: 'req-1', at });

/** Notes about problems and integrations are kept, by any store. */
export function insightBooksContract(name: string, open: () => Promise<InsightBooks>): void {
  describe(`what is noted about problems and integrations: ${name}`, () => {
    let books: InsightBooks;
    beforeEach(async () => {
      books = await open();
    });
    const actions = async () => (await books.audited()).map(({ action }) => action);

    it('keeps a mute of exactly one problem, the latest one, with its audit rows', async () => {
      const key = { errorCode: 'INVALID_SIGNATURE', failedSide: undefined, failedStep: undefined, clientId: 'host_1', appId: undefined };
      await books.mutes.mute({ ...key, actor: 'operator', reason: 'known', at }, audit('problem.muted'));
      await books.mutes.mute({ ...key, actor: 'operator', reason: 'still known', at: at + 1 }, audit('problem.muted'));
      await books.mutes.mute({ ...key, clientId: 'host_2', actor: 'operator', reason: 'other', at: at + 2 }, audit('problem.muted'));
      expect((await books.mutes.list()).map(({ reason }) => reason)).toEqual(['other', 'still known']);
      expect(await books.mutes.unmute({ ...key, appId: 'app_1' }, audit('problem.unmuted'))).toBe(false);
      expect(await books.mutes.unmute(key, audit('problem.unmuted'))).toBe(true);
      expect(await books.mutes.list()).toEqual([{ ...key, clientId: 'host_2', actor: 'operator', reason: 'other', at: at + 2 }]);
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
      await books.probes.keep({ ...probe, problem: 'dns' });
      await books.probes.keep({ ...probe, status: 405, tlsUntil: at + 5 });
      await books.probes.keep({ ...probe, partnerKind: 'miniapp', partnerId: 'app_1' });
      await books.probes.keep({ ...probe, partnerId: 'host_2' });
      const kept = await books.probes.list([
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
      expect(await books.live.list(['int_1'])).toEqual([]);
      await books.live.begin(live, audit('integration.went-live'));
      expect(await books.live.list(['int_2', 'int_1'])).toEqual([live]);
      expect(await books.live.list(['int_2'])).toEqual([]);
      expect(await books.live.end('int_2', audit('integration.back-to-test'))).toBe(false);
      expect(await books.live.end('int_1', audit('integration.back-to-test'))).toBe(true);
      expect(await books.live.list(['int_1'])).toEqual([]);
      expect(await actions()).toEqual(['integration.went-live', 'integration.back-to-test']);
    });
  });
}
