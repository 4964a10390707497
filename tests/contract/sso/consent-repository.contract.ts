import type { ConsentEntry, ConsentKey } from '../../../src/domain/sso/consent';
import type { ConsentRepository } from '../../../src/domain/sso/ports';
import { notIds } from '../each-database';

const key: ConsentKey = { clientId: 'host_1', integrationId: 'int_1', reference: 'user-1' };
const entry = (more: Partial<ConsentEntry> = {}): ConsentEntry => ({
  ...key,
  granted: true,
  call: 'save_consent',
  requestId: 'req-1',
  at: 1_700_000_000_000,
  ...more,
});

/** What consent may rely on, whoever keeps the store. */
export function consentRepositoryContract(name: string, open: () => Promise<ConsentRepository>): void {
  describe(`ConsentRepository: ${name}`, () => {
    let repository: ConsentRepository;
    beforeEach(async () => {
      repository = await open();
    });
    const callsOf = async () => (await repository.entries(key)).map(({ requestId }) => requestId);
    const recordAll = async (...entries: readonly Partial<ConsentEntry>[]) => {
      for (const [i, more] of entries.entries()) await repository.record(entry({ requestId: `req-${i + 1}`, ...more }));
    };

    it('says no of a user it never heard of', async () => {
      expect(await repository.isGranted(key)).toBe(false);
      expect(await repository.entries(key)).toEqual([]);
    });

    it('tells many at once whose consent stands', async () => {
      const references = Array.from({ length: 90 }, (_, i) => `user-${i}`);
      for (const [i, reference] of references.entries()) if (i % 3) await repository.record(entry({ reference }));
      for (const [i, reference] of references.entries()) if (i % 3 === 2) await repository.record(entry({ reference, granted: false }));
      const found = await Promise.all([...references, ...references].map((reference) => repository.isGranted({ ...key, reference })));
      expect(found).toEqual([...references, ...references].map((_, i) => i % 3 === 1));
    });

    it('keeps an entry whole', async () => {
      const decision = entry({ fields: ['email', 'a "quoted", {name}'], textVersion: 'v1 €' });
      await repository.record(decision);
      expect(await repository.entries(key)).toEqual([decision]);
      expect(await repository.isGranted(key)).toBe(true);
    });

    it('distinguishes missing fields from an empty list', async () => {
      await recordAll({ fields: [] }, { fields: ['email'] });
      expect((await repository.entries(key)).map(({ fields }) => fields)).toEqual([[], ['email']]);
    });

    it('returns the latest decision, and keeps each change, oldest first', async () => {
      await recordAll({}, { granted: false }, {});
      expect(await repository.isGranted(key)).toBe(true);
      expect(await callsOf()).toEqual(['req-1', 'req-2', 'req-3']);
      await repository.record(entry({ granted: false }));
      expect(await repository.isGranted(key)).toBe(false);
    });

    it('keeps a repeat once, of a grant as of a withdrawal', async () => {
      await recordAll(
        { fields: ['email'], textVersion: 'v1' },
        { fields: ['email'], textVersion: 'v1' },
        { granted: false },
        { granted: false },
      );
      expect(await callsOf()).toEqual(['req-1', 'req-3']);
    });

    it('keeps a change of the fields and of the text version', async () => {
      await recordAll(
        { fields: ['email'], textVersion: 'v1' },
        { fields: ['phone'], textVersion: 'v1' },
        { fields: ['phone'], textVersion: 'v2' },
      );
      expect(await callsOf()).toEqual(['req-1', 'req-2', 'req-3']);
    });

    it('treats members that are not sent again as unchanged', async () => {
      const decision = { fields: ['email'], textVersion: 'v1' };
      await recordAll(decision, { call: 'connect' }, decision, { textVersion: 'v1' });
      expect(await callsOf()).toEqual(['req-1']);
    });

    it('starts again after a withdrawal: earlier fields no longer count', async () => {
      const decision = { fields: ['email'] };
      await recordAll(decision, { granted: false }, {}, decision);
      expect(await callsOf()).toEqual(['req-1', 'req-2', 'req-3', 'req-4']);
    });

    it('stores no withdrawal of a consent that was never given', async () => {
      await recordAll({ granted: false });
      expect(await callsOf()).toEqual([]);
      expect(await repository.isGranted(key)).toBe(false);
    });

    it('knows users by integration and reference together', async () => {
      await repository.record(entry());
      expect(await repository.isGranted({ ...key, integrationId: 'int_2' })).toBe(false);
      expect(await repository.isGranted({ ...key, reference: 'user-2' })).toBe(false);
      expect(await repository.entries({ ...key, reference: 'user-2' })).toEqual([]);
    });

    it('records many at once, each whole and those of one user in their order', async () => {
      const users = Array.from({ length: 90 }, (_, i) => ({
        reference: `user-${i}`,
        ...(i % 3 === 0 && { fields: [] }),
        ...(i % 3 === 1 && { fields: ['phone', 'a "name", ä'], textVersion: `v${i}` }),
      }));
      const withdrawn = users.filter((_, i) => i % 2 === 0).map(({ reference }) => ({ reference, granted: false }));
      await Promise.all([...users, ...withdrawn].map((more) => repository.record(entry(more))));
      for (const [i, more] of users.entries()) {
        const expected = [entry(more), ...(i % 2 === 0 ? [entry({ reference: more.reference, granted: false })] : [])];
        expect(await repository.entries({ ...key, reference: more.reference })).toEqual(expected);
      }
    });

    it('keeps one entry of twenty equal ones at once', async () => {
      await Promise.all(Array.from({ length: 20 }, (_, i) => repository.record(entry({ requestId: `req-${i}` }))));
      expect(await repository.entries(key)).toHaveLength(1);
    });

    it.each(notIds)('never takes %s for an id', async (_what, id) => {
      await repository.record(entry());
      const missing = id as string;
      for (const wrong of [
        { ...key, clientId: missing },
        { ...key, integrationId: missing },
        { ...key, reference: missing },
      ]) {
        await expect(repository.isGranted(wrong)).rejects.toThrow();
        await expect(repository.entries(wrong)).rejects.toThrow();
        await expect(repository.record(entry(wrong))).rejects.toThrow();
      }
    });
  });
}
