import { appendAudit } from '../../../src/adapters/out/postgres/audit/audit-statement';
import { PostgresAuditReader } from '../../../src/adapters/out/postgres/audit/postgres-audit-reader';
import { transaction } from '../../../src/adapters/out/postgres/connection/statement';
import type { AuditEntry, AuditFilter } from '../../../src/domain/partners/ports';
import { onEachDatabase } from '../each-database';

const entry = (number: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  actor: 'operator',
  action: 'host-app.changed',
  subject: 'host-app:host_1',
  requestId: `req-${number}`,
  at: 1_700_000_000_000 + number,
  ...more,
});

const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;

onEachDatabase((name, database) => {
  describe(`PostgresAuditReader: ${name}`, () => {
    const open = async (entries: readonly AuditEntry[]) => {
      const { db, wipe } = database();
      await wipe();
      for (const one of entries) await transaction(db, (manager) => appendAudit(manager, one));
      return new PostgresAuditReader(db);
    };

    it('keeps an entry whole', async () => {
      const written = entry(1, { before: { name: 'ä', list: [1, null, { x: true }] }, after: ['x'] });
      const reader = await open([written, entry(2)]);
      expect(await reader.list({}, { limit: 10 })).toEqual([
        { id: '2', ...entry(2), hash },
        { id: '1', ...written, hash },
      ]);
    });

    it('lists pages, newest first, with an empty page after an unknown cursor', async () => {
      const reader = await open(Array.from({ length: 7 }, (_, i) => entry(i)));
      const idsAfter = async (after?: string) => (await reader.list({}, { limit: 3, after })).map(({ id }) => id);
      expect(await idsAfter()).toEqual(['7', '6', '5']);
      expect(await idsAfter('5')).toEqual(['4', '3', '2']);
      expect(await idsAfter('2')).toEqual(['1']);
      for (const cursor of ['1', '', 'x', '1; drop', '9'.repeat(30)]) expect(await idsAfter(cursor)).toEqual([]);
    });

    it.each<[string, AuditFilter, string[]]>([
      ['subject', { subject: 'host-app:host_2' }, ['2']],
      ['action', { action: 'host-app.removed' }, ['3']],
      ['who', { actor: 'user:ann@example.com' }, ['4']],
      ['time, first included, last not', { from: 1_700_000_000_001, to: 1_700_000_000_003 }, ['3', '2']],
      ['all of it', { subject: 'host-app:host_1', action: 'host-app.changed', from: 1_700_000_000_003 }, ['4']],
    ])('finds by %s', async (_what, filter, ids) => {
      const reader = await open([
        entry(0),
        entry(1, { subject: 'host-app:host_2' }),
        entry(2, { action: 'host-app.removed' }),
        entry(3, { actor: 'user:ann@example.com' }),
      ]);
      expect((await reader.list(filter, { limit: 10 })).map(({ id }) => id)).toEqual(ids);
    });
  });
});
