import type { DataSource, QueryRunner } from 'typeorm';

/** SQL is written for this major version and later ones. */
const OLDEST_VERSION = 15;

/** The database cannot hold the service's tables, or the role may not use them; the message says what to set. */
export class DatabaseUnfit extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = new.target.name;
  }
}

interface ServerFacts {
  readonly version: number;
  readonly version_text: string;
  readonly encoding: string;
}

/** @throws DatabaseUnfit where the server is too old, or the database holds other text than UTF-8. */
export async function requireFit(db: DataSource, { setting }: { readonly setting: string }): Promise<void> {
  const [facts] = await db.query<[ServerFacts]>(
    `select current_setting('server_version_num')::integer as version, current_setting('server_version') as version_text,
      current_setting('server_encoding') as encoding`,
  );
  if (facts.version < OLDEST_VERSION * 10_000)
    throw new DatabaseUnfit(
      `The server is Postgres ${facts.version_text}: upgrade it to Postgres ${String(OLDEST_VERSION)} or later, or name one in ${setting}`,
    );
  if (facts.encoding !== 'UTF8')
    throw new DatabaseUnfit(
      `The database has the encoding ${facts.encoding}: use one that was made with "create database … template template0 encoding 'UTF8'"`,
    );
}

interface SchemaFacts {
  readonly role: string;
  readonly database: string;
  readonly schema: string | null;
  readonly may_create: boolean | null;
}

/** Before tables are made. @throws DatabaseUnfit where the role may make none. */
export async function requireCreate(runner: QueryRunner): Promise<void> {
  const [{ role, database, schema, may_create }] = (await runner.query(
    `select quote_ident(current_user) as role, quote_ident(current_database()) as database, quote_ident(current_schema()) as schema,
      has_schema_privilege(current_schema(), 'create') as may_create`,
  )) as [SchemaFacts];
  if (may_create) return;
  const own = `make it a schema of its own: "create schema pierhead authorization ${role}" and "alter role ${role} in database ${database} set search_path = pierhead"`;
  if (schema === null) throw new DatabaseUnfit(`No schema of the search path is there for the role ${role}: ${own}`);
  throw new DatabaseUnfit(
    `The role ${role} may not create tables in the schema ${schema}: run "grant usage, create on schema ${schema} to ${role}", or ${own}`,
  );
}

interface TableFacts {
  readonly role: string;
  readonly schema: string | null;
  readonly is_there: boolean;
  readonly may_use: boolean | null;
}

/** Before the service uses its tables. @throws DatabaseUnfit where they are not there, or not for this role. */
export async function requireTables(db: DataSource): Promise<void> {
  const [{ role, schema, is_there, may_use }] = await db.query<[TableFacts]>(
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
