import { createHash, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { isForeignKeyViolation, isUniqueViolation } from '../../../src/adapters/out/postgres/connection/postgres-errors';
import { onConnection, run, runIn, transaction } from '../../../src/adapters/out/postgres/connection/statement';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';

/** What every repository relies on, whichever database is behind it. */
describe.each(databaseKinds)('the semantics of the database: %s', (kind) => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await openTestDatabase(kind);
    await test.db.query(`create table parent (id text constraint parent_key primary key)`);
    await test.db.query(`create table child (id text primary key, parent text not null references parent on delete restrict)`);
    await test.db.query(`create table job (id int primary key, taken_by text)`);
  }, 30_000);

  beforeEach(() => test.wipe());
  afterAll(() => test.close());

  const insertParent = { name: 'test.insert-parent', text: 'insert into parent (id) values ($1)' };
  const countParents = { name: 'test.count-parents', text: 'select count(*)::int as count from parent' };
  const parents = async (): Promise<string[]> =>
    (await test.db.query('select id from parent order by id')).map((row: { id: string }) => row.id);

  it('keeps what one transaction commits while another one rolls back', async () => {
    const aHasWritten = gate();
    const bHasStarted = gate();
    const a = transaction(test.db, async (manager) => {
      await runIn(manager, insertParent, ['a']);
      aHasWritten.open();
      await bHasStarted.opened;
      throw new Error('A changes its mind');
    });
    const b = aHasWritten.opened.then(() => {
      const running = transaction(test.db, (manager) => runIn(manager, insertParent, ['b']));
      bHasStarted.open();
      return running;
    });
    await expect(a).rejects.toThrow('A changes its mind');
    await b;
    expect(await parents()).toEqual(['b']);
  });

  it('hides uncommitted rows', async () => {
    const written = gate();
    const reading = gate();
    const writer = transaction(test.db, async (manager) => {
      await runIn(manager, insertParent, ['unseen']);
      written.open();
      await reading.opened;
      throw new Error('rolled back');
    });
    await written.opened;
    const seen = run<{ count: number }>(test.db, countParents, []);
    reading.open();
    await expect(writer).rejects.toThrow('rolled back');
    expect(await seen).toEqual([{ count: 0 }]);
  });

  it('gives two workers different rows under SKIP LOCKED', async () => {
    await test.db.query('insert into job (id) values (1), (2)');
    const claim = {
      name: 'test.claim-job',
      text: `update job set taken_by = $1 where id = (select id from job where taken_by is null order by id limit 1 for update skip locked) returning id`,
    };
    const take = (worker: string): Promise<number | undefined> =>
      transaction(test.db, async (manager) => (await runIn<{ id: number }>(manager, claim, [worker]))[0]?.id);
    const taken = await Promise.all([take('one'), take('two'), take('three')]);
    expect(taken.filter((id) => id !== undefined).sort()).toEqual([1, 2]);
  });

  it('runs one named statement for many callers, inside transactions and outside', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `p${i}`);
    await Promise.all(
      names.map((name, i) =>
        i % 2 ? run(test.db, insertParent, [name]) : transaction(test.db, (manager) => runIn(manager, insertParent, [name])),
      ),
    );
    expect(await run(test.db, countParents, [])).toEqual([{ count: 40 }]);
  });

  it('answers 200 statements sent at once, each with its own result', async () => {
    const statement = { name: 'test.echo', text: 'select $1::int as n' };
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => run<{ n: number }>(test.db, statement, [i])));
    expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 200 }, (_, i) => i));
  });

  it('gives numbers that a float cannot hold as text', async () => {
    const [row] = await test.db.query(`select 9007199254740993::bigint as big, 123456789012345678.90::numeric(20, 2) as exact`);
    expect(row).toEqual({ big: '9007199254740993', exact: '123456789012345678.90' });
  });

  it('gives a moment as Date to the millisecond, and a day as text', async () => {
    const moment = new Date('2026-03-29T01:59:59.123Z');
    const statement = {
      name: 'test.moment',
      text: `select $1::timestamptz as at, date '2026-03-29' as day, timestamp '2026-03-29 02:30:00' as local`,
    };
    expect(await run(test.db, statement, [moment])).toEqual([{ at: moment, day: '2026-03-29', local: '2026-03-29 02:30:00' }]);
  });

  it('takes and gives jsonb as values', async () => {
    const value = { list: [1, 'two', null], nested: { on: true }, text: 'ünï\u2028' };
    const [row] = await run(test.db, { name: 'test.jsonb', text: 'select $1::jsonb as value' }, [JSON.stringify(value)]);
    expect(row).toEqual({ value });
  });

  it.each([0, 1, 70_000, 5 * 1024 * 1024])('takes and gives %d bytes unchanged', async (length) => {
    const bytes = randomBytes(length);
    const [row] = await run<{ bytes: Buffer }>(test.db, { name: 'test.bytes', text: 'select $1::bytea as bytes' }, [bytes]);
    expect(sha256(row!.bytes)).toBe(sha256(bytes));
  });

  it('refuses use of the pool inside a transaction instead of blocking', async () => {
    const db = await createDataSource({
      ...test.target,
      connectWithinMs: 1000,
      ...(kind === 'postgres' ? { poolSize: 1 } : {}),
    }).initialize();
    try {
      const nested = transaction(db, () => run(db, countParents, []));
      await expect(nested).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { cause: 'database-busy' } });
      expect(await run(db, countParents, [])).toEqual([{ count: 0 }]);
    } finally {
      await db.destroy();
    }
  });

  it('refuses the statement that finds a thousand waiting', async () => {
    const attempts = Array.from({ length: 1100 }, () => run(test.db, countParents, []));
    const refused = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(80);
    expect(refused.length).toBeLessThanOrEqual(100);
    expect(refused[0]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE', details: { cause: 'database-busy' } } });
    expect(await run(test.db, countParents, [])).toEqual([{ count: 0 }]);
  });

  it('names a duplicate and its constraint, alone and in a transaction', async () => {
    await run(test.db, insertParent, ['twice']);
    const alone = await failure(run(test.db, insertParent, ['twice']));
    const inside = await failure(transaction(test.db, (manager) => runIn(manager, insertParent, ['twice'])));
    const throughOrm = await failure(test.db.query(insertParent.text, ['twice']));
    for (const error of [alone, inside, throughOrm]) {
      expect(isUniqueViolation(error)).toBe(true);
      expect(isUniqueViolation(error, 'parent_key')).toBe(true);
      expect(isUniqueViolation(error, 'another_key')).toBe(false);
      expect(isForeignKeyViolation(error)).toBe(false);
    }
  });

  it('names a reference to nothing, and the removal of a referenced row', async () => {
    const orphan = await failure(test.db.query(`insert into child (id, parent) values ('c', 'nobody')`));
    await test.db.query(`insert into parent (id) values ('p')`);
    await test.db.query(`insert into child (id, parent) values ('c', 'p')`);
    const removal = await failure(test.db.query(`delete from parent where id = 'p'`));
    for (const error of [orphan, removal]) {
      expect(isForeignKeyViolation(error)).toBe(true);
      expect(isForeignKeyViolation(error, 'child_parent_fkey')).toBe(true);
      expect(isUniqueViolation(error)).toBe(false);
    }
  });

  it('uses the same connection on after a refusal by the database', async () => {
    const db = await createDataSource({ ...test.target, ...(kind === 'postgres' ? { poolSize: 1 } : {}) }).initialize();
    try {
      await db.query(`set application_name = 'kept'`);
      await failure(run(db, { name: 'test.refused', text: 'select 1 / $1::int' }, [0]));
      await failure(transaction(db, (manager) => manager.query('select 1 / 0')));
      expect(await db.query('show application_name')).toEqual([{ application_name: 'kept' }]);
    } finally {
      await db.destroy();
    }
  });

  it.each([
    ['alone', onConnection],
    ['in a transaction', transaction],
  ])('keeps the values of a statement out of its error, %s', async (_where, within) => {
    const error = await failure(within(test.db, (manager) => manager.query('select $1::text, 1 / 0', ['canary'])));
    expect(inspect(error, { depth: null })).toContain('22012');
    expect(inspect(error, { depth: null })).not.toContain('canary');
  });

  it('refuses a statement that comes after its transaction has ended', async () => {
    const late = await transaction(test.db, (manager) => Promise.resolve(manager));
    await expect(runIn(late, insertParent, ['late'])).rejects.toThrow('outside its transaction');
    expect(await parents()).toEqual([]);
  });

  it('passes an error of the work itself on as it is', async () => {
    const own = new Error('own');
    await expect(transaction(test.db, () => Promise.reject(own))).rejects.toBe(own);
  });
});

function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

const failure = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => {
      throw new Error('It should have failed');
    },
    (error: unknown) => error,
  );

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
