import { appendAudit } from '../../../src/adapters/out/postgres/audit/audit-statement';
import { PostgresAuditChainReader } from '../../../src/adapters/out/postgres/audit/postgres-audit-chain-reader';
import { transaction } from '../../../src/adapters/out/postgres/connection/statement';
import type { AuditEntry } from '../../../src/domain/partners/ports';
import { onEachDatabase } from '../each-database';

const entry = (number: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  actor: 'operator',
  action: 'host-app.changed',
  subject: 'host-app:host_1',
  before: { name: 'ä 😀', z: 1.1, list: [null, true] },
  requestId: `req-${String(number)}`,
  at: 1_700_000_000_000 + number,
  ...more,
});

onEachDatabase((name, database) => {
  const append = async (...entries: readonly AuditEntry[]): Promise<void> => {
    for (const one of entries) await transaction(database().db, (manager) => appendAudit(manager, one));
  };
  const chain = () => new PostgresAuditChainReader(database().db);
  /** As who owns the tables and turns the triggers off. */
  const tamper = (...statements: readonly string[]): Promise<void> =>
    database().db.transaction(async (manager) => {
      await manager.query('set local session_replication_role = replica');
      for (const statement of statements) await manager.query(statement);
    });

  describe(`PostgresAuditChainReader: ${name}`, () => {
    beforeEach(() => database().wipe());

    it('finds an empty trail whole', async () => {
      expect([await chain().head(), await chain().verify()]).toEqual([undefined, { entries: 0 }]);
    });

    it('finds every appended chain whole, whatever its fields contain', async () => {
      await append(entry(1), entry(2, { before: undefined, after: 'x,-,1:' }), entry(3, { subject: '', at: 1 }), entry(4, { after: 1e21 }));
      const verdict = await chain().verify();
      expect(verdict).toEqual({ entries: 4, last: { id: '4', hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string } });
      expect(await chain().head()).toEqual(verdict.last);
      expect(await chain().verify(verdict.last)).toEqual(verdict);
    });

    it('walks over thousands, in one statement or many, with gaps between the ids', async () => {
      await append(entry(1));
      await database().db.query(`select setval(pg_get_serial_sequence('audit_log', 'id'), 50)`);
      await database().db.query(`
        insert into audit_log (at, actor, action, subject, request_id)
        select now(), 'operator', 'x', 'y', n::text from generate_series(1, 2100) n`);
      expect(await chain().verify()).toMatchObject({ entries: 2101, last: { id: '2150' } });
    });

    it.each([
      ...[`at = at + interval '1 microsecond'`, `actor = 'nobody'`, `action = 'x'`, `subject = subject || ' '`, `request_id = 'req-3'`],
      ...[`before = null`, `before = '{}'`, `after = '{}'`, `hash = repeat('0', 64)`],
    ])('finds an entry that was changed: %s', async (set) => {
      await append(entry(1), entry(2), entry(3));
      await tamper(`update audit_log set ${set} where id = 2`);
      expect(await chain().verify()).toMatchObject({ entries: 1, last: { id: '1' }, broken: { id: '2', how: 'changed' } });
    });

    it.each<[string, string[], object]>([
      ['the first removed', ['delete from audit_log where id = 1'], { entries: 0, broken: { id: '2', how: 'out-of-chain' } }],
      ['one removed', ['delete from audit_log where id = 2'], { entries: 1, broken: { id: '3', how: 'out-of-chain' } }],
      ['the last removed', ['delete from audit_log where id = 4'], { entries: 3, broken: { id: '4', how: 'not-the-last' } }],
      ['all removed', ['truncate audit_log restart identity'], { entries: 0, broken: { id: '4', how: 'not-the-last' } }],
      [
        'two in another order',
        [
          `update audit_log a set (request_id, at, previous_hash, hash) =
             (select request_id, at, previous_hash, hash from audit_log b where b.id = 5 - a.id) where a.id in (2, 3)`,
        ],
        { entries: 1, broken: { id: '2', how: 'out-of-chain' } },
      ],
      [
        'one inserted, without a hash of its own',
        [
          `insert into audit_log (id, at, actor, action, subject, request_id, previous_hash, hash) overriding system value
           select 100, at, actor, action, subject, request_id, hash, hash from audit_log where id = 4`,
        ],
        { entries: 4, broken: { id: '100', how: 'changed' } },
      ],
      [
        'one appended past the database, its hash right',
        [
          `insert into audit_log (id, at, actor, action, subject, request_id, previous_hash, hash) overriding system value
           select 100, at, actor, action, subject, request_id, hash, hash from audit_log where id = 4`,
          'update audit_log a set hash = audit_hash(a) where id = 100',
        ],
        { entries: 5, broken: { id: '100', how: 'not-the-last' } },
      ],
    ])('finds %s', async (_what, statements, verdict) => {
      await append(entry(1), entry(2), entry(3), entry(4));
      await tamper(...statements);
      expect(await chain().verify()).toMatchObject(verdict);
    });

    it('finds a chain that was rewritten as a whole only by a head stored elsewhere', async () => {
      await append(entry(1), entry(2));
      const kept = await chain().head();
      await tamper('truncate audit_log, audit_head restart identity');
      await append(entry(1, { actor: 'nobody' }), entry(2), entry(3));
      expect(await chain().verify()).toMatchObject({ entries: 3 });
      expect(await chain().verify()).not.toHaveProperty('broken');
      expect(await chain().verify(kept)).toMatchObject({ entries: 1, broken: { id: '2', how: 'not-as-kept' } });
      expect(await chain().verify({ ...kept!, id: '7' })).toMatchObject({ entries: 3, broken: { id: '7', how: 'not-as-kept' } });
    });

    it.each(['update audit_log set actor = actor', 'delete from audit_log', 'truncate audit_log', 'truncate audit_log cascade'])(
      'refuses %s, and stays whole',
      async (text) => {
        await append(entry(1));
        await expect(database().db.query(text)).rejects.toThrow('append only');
        expect(await chain().verify()).toMatchObject({ entries: 1, last: { id: '1' } });
      },
    );

    it('takes neither id nor hash from who inserts', async () => {
      await append(entry(1), entry(2));
      await database().db.query(`
        insert into audit_log (id, at, actor, action, subject, request_id, previous_hash, hash) overriding system value
        values (0, now(), 'a', 'b', 'c', 'd', 'x', 'y')`);
      expect(await chain().verify()).toMatchObject({ entries: 3, last: { id: '3' } });
    });

    it('makes one chain of concurrent entries, also when some transactions roll back', async () => {
      const racers = Array.from({ length: 60 }, (_, i) =>
        transaction(database().db, async (manager) => {
          await appendAudit(manager, entry(i));
          if (i % 5 === 0) throw new Error('given up');
          if (i % 2 === 0) await appendAudit(manager, entry(i, { action: 'second' }));
        }).catch((error: unknown) => {
          if ((error as Error).message !== 'given up') throw error;
        }),
      );
      const walks = Array.from({ length: 5 }, () => chain().verify());
      await Promise.all(racers);
      for (const verdict of await Promise.all(walks)) expect(verdict).not.toHaveProperty('broken');
      const verdict = await chain().verify();
      expect([verdict.entries, verdict.broken]).toEqual([72, undefined]);
      expect(Number(verdict.last?.id)).toBeGreaterThanOrEqual(72);
    });
  });
});
