import type { DataSource, QueryRunner } from 'typeorm';

/** The oldest major version that the SQL supports. */
const OLDEST_VERSION = 15;

/** The database cannot hold the service's tables, or the role may not use them. The message says which setting to change. */
export class DatabaseUnfit extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = new.target.name;
  }
}

interface ServerDetails {
  readonly version: number;
  readonly version_text: string;
  readonly encoding: string;
}

/** Checks the server. @throws DatabaseUnfit when it is too old, or the database's encoding is not UTF-8. */
export async function requireFit(db: DataSource, { setting }: { readonly setting: string }): Promise<void> {
  const [details] = await db.query<[ServerDetails]>(
    `select current_setting('server_version_num')::integer as version, current_setting('server_version') as version_text,
      current_setting('server_encoding') as encoding`,
  );
  if (details.version < OLDEST_VERSION * 10_000)
    throw new DatabaseUnfit(
      `The server is Postgres ${details.version_text}: upgrade it to Postgres ${String(OLDEST_VERSION)} or later, or name one in ${setting}`,
    );
  if (details.encoding !== 'UTF8')
    throw new DatabaseUnfit(
      `The database has the encoding ${details.encoding}: use one that was made with "create database … template template0 encoding 'UTF8'"`,
    );
}

interface SchemaDetails {
  readonly role: string;
  readonly database: string;
  readonly schema: string | null;
  readonly may_create: boolean | null;
}

/** Checks, before tables are created, that the role may create them. @throws DatabaseUnfit when it may not. */
export async function requireCreate(runner: QueryRunner): Promise<void> {
  const [{ role, database, schema, may_create }] = (await runner.query(
    `select quote_ident(current_user) as role, quote_ident(current_database()) as database, quote_ident(current_schema()) as schema,
      has_schema_privilege(current_schema(), 'create') as may_create`,
  )) as [SchemaDetails];
  if (may_create) return;
  const own = `make it a schema of its own: "create schema pierhead authorization ${role}" and "alter role ${role} in database ${database} set search_path = pierhead"`;
  if (schema === null) throw new DatabaseUnfit(`No schema of the search path is there for the role ${role}: ${own}`);
  throw new DatabaseUnfit(
    `The role ${role} may not create tables in the schema ${schema}: run "grant usage, create on schema ${schema} to ${role}", or ${own}`,
  );
}

interface TableDetails {
  readonly role: string;
  readonly schema: string | null;
  readonly is_there: boolean;
  readonly may_use: boolean | null;
}

/** Checks the tables before the service uses them. @throws DatabaseUnfit when they are missing, or this role may not use them. */
export async function requireTables(db: DataSource): Promise<void> {
  const [{ role, schema, is_there, may_use }] = await db.query<[TableDetails]>(
    `select quote_ident(current_user) as role, quote_ident(current_schema()) as schema, oid is not null as is_there,
      has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert') as may_use
    from (select to_regclass('kept_keys')::oid) as tables (oid)`,
  );
  if (!is_there)
    throw new DatabaseUnfit(
      `The role ${role} finds no tables of the service in the schema ${schema ?? 'that its search path names'}: run "pierhead migrate" (or start with MIGRATE=on), and give both roles the same search_path`,
    );
  if (!may_use)
    throw new DatabaseUnfit(
      `The tables belong to another role, and ${role} may not use them: set MIGRATION_DATABASE_URL to the role that owns them and run "pierhead migrate", which gives ${role} its rights`,
    );
}

/**
 * Checks, before migrating or using the tables, which release created them. The migrations begin anew with the first release, so tables of
 * older versions cannot be migrated. `setting` names the database in the message.
 * @throws DatabaseUnfit when another migration than the first one of this version created the tables.
 */
export async function requireKnownTables(db: DataSource, { setting }: { readonly setting: string }): Promise<void> {
  const [{ is_there }] = await db.query<[{ is_there: boolean }]>(`select to_regclass('migrations') is not null as is_there`);
  if (!is_there) return;
  const [first] = await db.query<{ name: string }[]>('select name from migrations order by id limit 1');
  if (first === undefined || first.name === db.migrations[0]?.constructor.name) return;
  throw new DatabaseUnfit(
    `A version from before the first release made the tables (${first.name}), and they cannot be brought up to date: set ${setting} to an empty database`,
  );
}
