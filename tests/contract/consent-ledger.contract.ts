import type { ConsentEntry, ConsentKey } from '../../src/domain/sso/consent';
import type { ConsentLedger } from '../../src/domain/sso/ports';
import { notIds } from './each-database';

const key: ConsentKey = { integrationId: 'int_1', reference: 'user-1' };
const entry = (more: Partial<ConsentEntry> = {}): ConsentEntry => ({
  ...key,
  granted: true,
  call: 'save_consent',
  requestId: 'req-1',
  at: 1_700_000_000_000,
  ...more,
});

/** What consent may rely on, whoever keeps the ledger. */
export function consentLedgerContract(name: string, open: () => Promise<ConsentLedger>): void {
  describe(`ConsentLedger: ${name}`, () => {
    let ledger: ConsentLedger;
    beforeEach(async () => {
      ledger = await open();
    });
    const callsOf = async () => (await ledger.entries(key)).map(({ requestId }) => requestId);
    const recordAll = async (...entries: readonly Partial<ConsentEntry>[]) => {
      for (const [i, more] of entries.entries()) await ledger.record(entry({ requestId: `req-${i + 1}`, ...more }));
    };

    it('says no of a user it never heard of', async () => {
      expect(await ledger.isGranted(key)).toBe(false);
      expect(await ledger.entries(key)).toEqual([]);
    });

    it('tells many at once whose consent stands', async () => {
      const references = Array.from({ length: 90 }, (_, i) => `user-${i}`);
      for (const [i, reference] of references.entries()) if (i % 3) await ledger.record(entry({ reference }));
      for (const [i, reference] of references.entries()) if (i % 3 === 2) await ledger.record(entry({ reference, granted: false }));
      const found = await Promise.all([...references, ...references].map((reference) => ledger.isGranted({ ...key, reference })));
      expect(found).toEqual([...references, ...references].map((_, i) => i % 3 === 1));
    });

    it('keeps an entry whole', async () => {
      const said = entry({ fields: ['email', 'a "quoted", {name}'], textVersion: 'v1 €' });
      await ledger.record(said);
      expect(await ledger.entries(key)).toEqual([said]);
      expect(await ledger.isGranted(key)).toBe(true);
    });

    it('tells no fields from an empty list of them', async () => {
      await recordAll({ fields: [] }, { fields: ['email'] });
      expect((await ledger.entries(key)).map(({ fields }) => fields)).toEqual([[], ['email']]);
    });

    it('says what was said last, and keeps each change, oldest first', async () => {
      await recordAll({}, { granted: false }, {});
      expect(await ledger.isGranted(key)).toBe(true);
      expect(await callsOf()).toEqual(['req-1', 'req-2', 'req-3']);
      await ledger.record(entry({ granted: false }));
      expect(await ledger.isGranted(key)).toBe(false);
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

    it('takes what is not said again as still so: a sign-on between two equal consents is no change', async () => {
      const said = { fields: ['email'], textVersion: 'v1' };
      await recordAll(said, { call: 'connect' }, said, { textVersion: 'v1' });
      expect(await callsOf()).toEqual(['req-1']);
    });

    it('starts anew after a withdrawal: fields said before it are not still so', async () => {
      const said = { fields: ['email'] };
      await recordAll(said, { granted: false }, {}, said);
      expect(await callsOf()).toEqual(['req-1', 'req-2', 'req-3', 'req-4']);
    });

    it('keeps nothing of a withdrawal of what was never given', async () => {
      await recordAll({ granted: false });
      expect(await callsOf()).toEqual([]);
      expect(await ledger.isGranted(key)).toBe(false);
    });

    it('knows users by integration and reference together', async () => {
      await ledger.record(entry());
      expect(await ledger.isGranted({ ...key, integrationId: 'int_2' })).toBe(false);
      expect(await ledger.isGranted({ ...key, reference: 'user-2' })).toBe(false);
      expect(await ledger.entries({ ...key, reference: 'user-2' })).toEqual([]);
    });

    it('keeps one entry of twenty equal ones at once', async () => {
      await Promise.all(Array.from({ length: 20 }, (_, i) => ledger.record(entry({ requestId: `req-${i}` }))));
      expect(await ledger.entries(key)).toHaveLength(1);
    });

    it.each(notIds)('never takes %s for an id', async (_what, id) => {
      await ledger.record(entry());
      const missing = id as string;
      for (const wrong of [
        { ...key, integrationId: missing },
        { ...key, reference: missing },
      ]) {
        await expect(ledger.isGranted(wrong)).rejects.toThrow();
        await expect(ledger.entries(wrong)).rejects.toThrow();
        await expect(ledger.record(entry(wrong))).rejects.toThrow();
      }
    });
  });
}
