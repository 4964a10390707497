import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource, type DatabaseTarget } from '../../../src/adapters/out/postgres/connection/data-source';
import { startEmbeddedPostgres } from '../../../src/adapters/out/postgres/embedded/embedded-postgres';
import { migrate } from '../../../src/adapters/out/postgres/connection/migrate';
import { testRun } from '../test-run';
import { builtEmbedded, type EmbeddedDatabases } from './embedded-databases';

export type DatabaseKind = 'postgres' | 'embedded';

/** The databases that this run tests against; in CI a missing Postgres is a failure. */
export const databaseKinds: readonly DatabaseKind[] = testRun.postgresUrl() ? ['postgres', 'embedded'] : ['embedded'];

/** The kind that the e2e suite runs on whole: postgres where there is one. */
export const mainDatabaseKind: DatabaseKind = databaseKinds[0] ?? 'embedded';

/** A migrated database of one test file, with nothing in it. */
export interface TestDatabase {
  readonly db: DataSource;
  /** For a second data source on the same database, as a second instance of the service has. */
  readonly target: DatabaseTarget;
  /** Empties every table of ours. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a database that is migrated, empty and its own; takes about 0.3 s on Postgres, 2 s for the first embedded one of a process. */
export async function openTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  return kind === 'postgres' ? openOnPostgres() : openEmbedded();
}

async function openEmbedded(): Promise<TestDatabase> {
  const { embeddedDatabases } = globalThis as unknown as { readonly embeddedDatabases: EmbeddedDatabases };
  const kept = await embeddedDatabases.borrow(async (folder) => cp(await embeddedTemplate(), folder, { recursive: true }));
  const target: DatabaseTarget = { kind: 'embedded', stream: kept.embedded.stream };
  const db = await createDataSource(target).initialize();
  kept.schema ??= await schemaOf(db);
  return {
    db,
    target,
    wipe: () => wipe(db),
    close: async () => {
      if (db.isInitialized) await db.destroy();
      if (await isAsNew(target, kept.schema)) embeddedDatabases.giveBack(kept);
      else await embeddedDatabases.end(kept);
    },
  };
}

/**
 * Empties a database that a test file has used. False where another one cannot use it: it has stopped, somebody is still connected, or
 * its schema is not `schema` any more.
 */
async function isAsNew(target: DatabaseTarget, schema: string | undefined): Promise<boolean> {
  const db = createDataSource(target);
  try {
    await db.initialize();
    if (await isInUse(db)) return false;
    await db.query(RENEW);
    return (await schemaOf(db)) === schema;
  } catch {
    return false;
  } finally {
    if (db.isInitialized) await db.destroy();
  }
}

/** Whether others are connected. Sessions that have just been closed are given a moment. */
async function isInUse(db: DataSource): Promise<boolean> {
  for (let looks = 0; looks < 20; looks++) {
    const [row] = await db.query<{ others: number }[]>(OTHERS);
    if (row!.others === 0) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}

async function schemaOf(db: DataSource): Promise<string> {
  const [row] = await db.query<{ schema: string }[]>(SCHEMA);
  return row!.schema;
}

/** The folder of a migrated embedded database, made by the first test file that needs it: to copy it takes a third of the time. */
async function embeddedTemplate(): Promise<string> {
  const template = testRun.embeddedTemplate();
  if (existsSync(template)) return template;
  const folder = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
  const embedded = await startEmbeddedPostgres({ folder, builtFolder: builtEmbedded });
  const db = await createDataSource({ kind: 'embedded', stream: embedded.stream }).initialize();
  await migrate(db).finally(() => db.destroy());
  await embedded.close();
  // Of two that are made at once the first one stays.
  await rename(folder, template).catch(() => rm(folder, { recursive: true, force: true }));
  return template;
}

/** A database that a test file of this process gave back, or a new one: to make one and to drop it takes the server most of a second. */
async function openOnPostgres(): Promise<TestDatabase> {
  const { idlePostgresDatabases: idle } = globalThis as unknown as { readonly idlePostgresDatabases: string[] };
  const name = idle.pop() ?? (await newOnPostgres(requireTemplate));
  const target: DatabaseTarget = { kind: 'postgres', url: urlOf(name) };
  const db = await createDataSource(target).initialize();
  const schema = await schemaOf(db);
  return {
    db,
    target,
    wipe: () => wipe(db),
    close: async () => {
      if (db.isInitialized) await db.destroy();
      if (await isAsNew(target, schema)) idle.push(name);
      else await drop(name);
    },
  };
}

/** A new database on Postgres without any table, for a version of the service that makes its own. */
export async function openBareDatabase(): Promise<TestDatabase> {
  const name = await newOnPostgres(() => Promise.resolve('template1'));
  const target: DatabaseTarget = { kind: 'postgres', url: urlOf(name) };
  const db = await createDataSource(target).initialize();
  return { db, target, wipe: () => wipe(db), close: () => db.destroy().then(() => drop(name)) };
}

async function newOnPostgres(templateOf: (admin: Client) => Promise<string>): Promise<string> {
  const name = `${testRun.prefix()}_${randomBytes(5).toString('hex')}`;
  await asAdmin(async (admin) => {
    const template = await templateOf(admin);
    await admin.query(`create database ${name} template ${template}`);
  });
  return name;
}

const drop = async (name: string): Promise<void> => {
  await asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`));
};

/** An empty database that is there already, migrated; closing it leaves it there. */
export async function openDatabaseAt(url: string): Promise<TestDatabase> {
  const target: DatabaseTarget = { kind: 'postgres', url };
  const db = await createDataSource(target).initialize();
  await migrate(db);
  return { db, target, wipe: () => wipe(db), close: () => db.destroy() };
}

/** The migrated template of this run, made by the first test file that needs it. */
async function requireTemplate(admin: Client): Promise<string> {
  const template = `${testRun.prefix()}_template`;
  await admin.query('select pg_advisory_lock(hashtext($1))', [template]);
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
  if (rowCount === 0) {
    await admin.query(`create database ${template}`);
    try {
      const db = await createDataSource({ kind: 'postgres', url: urlOf(template), poolSize: 1, limits: 'none' }).initialize();
      await migrate(db).finally(() => db.destroy());
    } catch (error) {
      await admin.query(`drop database ${template} with (force)`);
      throw error;
    }
  }
  await admin.query('select pg_advisory_unlock(hashtext($1))', [template]);
  return template;
}

/**
 * Only tables with rows in them, and small ones row by row: to truncate one makes files anew for it, its indexes and all that refer to it.
 * Without triggers: the audit trail refuses to be emptied, and what refers to a row goes as well.
 */
const WIPE = `do $$
  declare place regclass; used boolean;
  begin
    perform set_config('session_replication_role', 'replica', true);
    for place in select oid from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations' and pg_relation_size(oid) > 0 loop
      execute format('select exists (select from %s)', place) into used;
      continue when not used;
      if pg_relation_size(place) > 1048576 then
        execute format('truncate %s restart identity cascade', place);
      else
        execute format('delete from %s', place);
      end if;
    end loop;
    for place in select oid from pg_class
      where relnamespace = 'public'::regnamespace and relname <> 'migrations_id_seq'
        and case relkind when 'S' then pg_sequence_last_value(oid) end is not null loop
      perform setval(place, 1, false);
    end loop;
    perform set_config('session_replication_role', 'origin', true);
  end $$`;

/** As WIPE, with new files for every table that was written to or analyzed: dead rows and statistics do not stay for the next test file. */
const RENEW = `do $$
  declare place regclass;
  begin
    perform set_config('session_replication_role', 'replica', true);
    for place in select oid from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'
        and (pg_relation_size(oid) > 0 or reltuples >= 0) loop
      execute format('truncate %s restart identity cascade', place);
    end loop;
    delete from pg_statistic where starelid >= 16384;
    perform set_config('session_replication_role', 'origin', true);
  end $$`;

const OTHERS = 'select count(*)::integer as others from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

/** Everything that a test may change in a database beside its rows. */
const SCHEMA = `select md5(string_agg(part, E'\\n' order by part)) as schema from (
    select concat_ws(' ', relname, relkind, relpersistence, relowner, relacl, reloptions) from pg_class where oid >= 16384 and relkind <> 't'
    union all select concat_ws(' ', attrelid, attnum, attname, atttypid, attnotnull, attisdropped) from pg_attribute where attrelid >= 16384
    union all select concat_ws(' ', 'default', adrelid, adnum, adbin) from pg_attrdef
    union all select concat_ws(' ', indexrelid, indisvalid) from pg_index where indexrelid >= 16384
    union all select concat_ws(' ', conrelid, conname, convalidated) from pg_constraint where oid >= 16384
    union all select concat_ws(' ', tgrelid, tgname, tgenabled) from pg_trigger where not tgisinternal
    union all select concat_ws(' ', proname, prosrc) from pg_proc where oid >= 16384
    union all select concat_ws(' ', rolname, rolsuper, rolcanlogin) from pg_roles
    union all select concat_ws(' ', setdatabase, setrole, setconfig) from pg_db_role_setting
      where setdatabase in (select 0 union all select oid from pg_database where datname = current_database())
    union all select concat_ws(' ', nspname, nspowner) from pg_namespace where nspname not like 'pg_temp%'
    union all select concat_ws(' ', 'statistics', starelid, staattnum) from pg_statistic where starelid >= 16384
    union all select concat_ws(' ', 'migration', name) from migrations
  ) as parts (part)`;

async function wipe(db: DataSource): Promise<void> {
  await db.query(WIPE);
}

async function asAdmin<T>(work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: testRun.requirePostgresUrl() });
  await admin.connect();
  return work(admin).finally(() => admin.end());
}

function urlOf(database: string): string {
  const admin = new URL(testRun.requirePostgresUrl());
  return new URL(`/${database}${admin.search}`, admin.href).href;
}
