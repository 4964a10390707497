// Proves, on a database of its own, that the migrations build exactly the tables that the schemas describe, and that each one
// goes down and up again and leaves the same tables. Runs on the build: `npm run migrate:check`. Exit code 1 when it is not so.
const { mkdtemp, rm } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Client } = require('pg');
const { MigrationExecutor } = require('typeorm');
const { createDataSource } = require('../../../dist/src/adapters/out/postgres/connection/data-source');
const { startEmbeddedPostgres } = require('../../../dist/src/adapters/out/postgres/embedded/embedded-postgres');

/** Everything in `public` that a migration can make, apart from TypeORM's own table, in an order that does not change. */
const DESCRIPTION = `
  select 'column' as kind, table_name as place, column_name as name,
         concat_ws(' ', data_type, character_maximum_length, numeric_precision, numeric_scale, is_nullable, column_default, is_identity, generation_expression) as definition
    from information_schema.columns where table_schema = 'public' and table_name <> 'migrations'
  union all
  select 'index', tablename, indexname, indexdef from pg_indexes where schemaname = 'public' and tablename <> 'migrations'
  union all
  select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0 and conrelid <> to_regclass('public.migrations')
  union all
  select 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all
  select 'function', '', proname, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select 'sequence', '', sequencename, '' from pg_sequences where schemaname = 'public' and sequencename <> 'migrations_id_seq'
  union all
  select 'type', '', typname, typtype::text from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
  order by 1, 2, 3`;

/** Up one by one, down one by one, up again: after each step the tables are what they were at that height before. */
async function check(db) {
  const problems = [];
  const describe = async () => (await db.query(DESCRIPTION)).map((row) => Object.values(row).join(' | '));
  const executor = new MigrationExecutor(db);
  const pending = await executor.getPendingMigrations();

  const heights = [await describe()];
  for (const migration of pending) {
    await executor.executeMigration(migration);
    heights.push(await describe());
  }
  const { upQueries } = await db.driver.createSchemaBuilder().log();
  for (const { query } of upQueries) problems.push(`The schemas want what no migration does: ${query}`);

  for (const [height, migration] of [...pending.entries()].reverse()) {
    await executor.undoLastMigration();
    problems.push(...differences(heights[height], await describe()).map((line) => `${migration.name}, down: ${line}`));
  }
  for (const [height, migration] of pending.entries()) {
    await executor.executeMigration(migration);
    problems.push(...differences(heights[height + 1], await describe()).map((line) => `${migration.name}, up again: ${line}`));
  }
  return { problems, count: pending.length };
}

const differences = (expected, found) => [
  ...expected.filter((line) => !found.includes(line)).map((line) => `lost ${line}`),
  ...found.filter((line) => !expected.includes(line)).map((line) => `new ${line}`),
];

async function onPostgres(url, work) {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  const name = `pierhead_test_${Date.now().toString(36)}_migrate_${process.pid}`;
  await admin.query(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const db = await createDataSource({ kind: 'postgres', url: own.href, poolSize: 2, limits: 'none' }).initialize();
  try {
    return await work(db);
  } finally {
    await db.destroy();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

async function onEmbedded(work) {
  const folder = await mkdtemp(join(tmpdir(), 'pierhead-migrate-'));
  const embedded = await startEmbeddedPostgres({ folder });
  const db = await createDataSource({ kind: 'embedded', stream: embedded.stream }).initialize();
  try {
    return await work(db);
  } finally {
    await db.destroy();
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function isThere(url) {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

async function main() {
  const named = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  const url = named ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const postgres = await isThere(url);
  if (!postgres && (named || process.env.CI === 'true')) throw new Error('No Postgres to check the migrations on');
  const { problems, count } = postgres ? await onPostgres(url, check) : await onEmbedded(check);
  for (const problem of problems) console.error(problem);
  console.log(`${count} migrations on ${postgres ? 'Postgres' : 'the embedded database'}: ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
