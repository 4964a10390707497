import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { writeForReadiness } from '../../../src/adapters/out/postgres/health/readiness-write';
import { warmPool } from '../../../src/adapters/out/postgres/health/warm-pool';
import { PoolGauge } from '../../../src/adapters/out/postgres/connection/pool-gauge';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';

describe.each(databaseKinds)('the write of readiness: %s', (kind) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(kind);
  }, 30_000);
  afterAll(() => test.close());

  it('passes for several instances at once, and does not grow the table', async () => {
    await Promise.all([writeForReadiness(test.db), writeForReadiness(test.db), writeForReadiness(test.db)]);
    const [{ size }] = await test.db.query(`select pg_relation_size('readiness_writes')::int as size`);
    expect(size).toBeGreaterThan(60_000);
    await writeForReadiness(test.db);
    expect(await test.db.query(`select pg_relation_size('readiness_writes')::int as size`)).toEqual([{ size }]);
  });

  it('is taken up by an open pool, which opens all its connections before', async () => {
    await warmPool(test.db);
    const { max, open } = new PoolGauge(test.db).sizes();
    expect(open).toBe(max);
  });
});

const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('the write of readiness on a server', () => {
  let test: TestDatabase;
  let url: string;
  const role = `reader_${randomUUID().slice(0, 8)}`;
  beforeAll(async () => {
    test = await openTestDatabase('postgres');
    if (test.target.kind === 'postgres') url = test.target.url;
    const [{ schema }] = await test.db.query('select quote_ident(current_schema()) as schema');
    await test.db.query(`create role ${role} login`);
    await test.db.query(`grant usage on schema ${schema} to ${role}`);
    await test.db.query(`grant select, insert, update, delete on readiness_writes to ${role}`);
  }, 30_000);
  afterAll(async () => {
    await test.db.query(`drop owned by ${role}`);
    await test.db.query(`drop role ${role}`);
    await test.close();
  });

  it('passes for a role that may not truncate', async () => {
    const asRole = url.replace(/\/\/[^@/]*@/, `//${role}@`);
    const db = await createDataSource({ kind: 'postgres', url: asRole, poolSize: 1 }).initialize();
    try {
      expect(await db.query('select current_user as self')).toEqual([{ self: role }]);
      await writeForReadiness(db);
    } finally {
      await db.destroy();
    }
  });

  it('is not held up by a lock on its own table, which says nothing of the others', async () => {
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin; lock table readiness_writes in access exclusive mode');
    const startedAt = performance.now();
    await writeForReadiness(test.db);
    expect(performance.now() - startedAt).toBeLessThan(2000);
    await holder.query('rollback');
    await holder.end();
  });

  it('fails where the server takes no writes, with the cause', async () => {
    const db = await createDataSource({ kind: 'postgres', url, poolSize: 1 }).initialize();
    try {
      await db.query('set default_transaction_read_only = on');
      await expect(writeForReadiness(db)).rejects.toMatchObject({ details: { cause: 'database-read-only' } });
    } finally {
      await db.destroy();
    }
  });
});
