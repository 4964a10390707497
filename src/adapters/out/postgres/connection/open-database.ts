import { join } from 'node:path';
import type { DataSource, QueryRunner } from 'typeorm';
import { createDataSource, type DatabaseTarget, type OnConnectionLost } from './data-source';
import { startEmbeddedPostgres } from '../embedded/embedded-postgres';
import { startHousekeeping } from '../embedded/housekeeping';
import { DatabaseUnfit, requireCreate, requireFit, requireKnownTables, requireTables } from './check-server';
import { ServerAddress } from './server-address';
import { requireOwnSessions } from './shared-sessions';
import { adviceOn, adviceOnRights } from './start-advice';
import { grantServingRole } from './grant-serving-role';
import { migrate } from './migrate';

export interface OpenDatabaseOptions {
  /** A Postgres URL; without one, the embedded database in `dataDir`. */
  readonly url?: string | undefined;
  /** The address of the database itself when `url` is a pooler in transaction mode. */
  readonly directUrl?: string | undefined;
  readonly dataDir: string;
  /** The maximum number of connections to Postgres; 10 by default. The embedded database has one. */
  readonly poolSize?: number | undefined;
  /** `serving` (default): no statement may run longer than five seconds. `none`: no limit, for long maintenance. */
  readonly limits?: 'serving' | 'none';
  /** Whether pending migrations run before the database is handed over. */
  readonly migrate: boolean;
  /**
   * The URL of the role that owns the tables, when the serving role may not change them. After migrating, it grants the serving role its
   * rights.
   */
  readonly migrationUrl?: string | undefined;
  /** When aborted, stops waiting for another instance's migration and rejects with the abort reason. */
  readonly stopped?: AbortSignal | undefined;
  /** Called once when the embedded database has failed for good. The process must end. */
  readonly onFatal: (error: Error) => void;
  /** Called for failures that do not stop the service: a connection lost while idle, a failed round of housekeeping. */
  readonly onTrouble?: OnConnectionLost;
  /** The build folder of the embedded database, when the service runs from source. */
  readonly builtFolder?: string;
}

/** A connected database, migrated if that was requested. */
export interface OpenedDatabase {
  readonly db: DataSource;
  readonly kind: DatabaseTarget['kind'];
  /** Names of the migrations that ran at this start. */
  readonly migrated: readonly string[];
  /** Waits for running statements, then closes. With the embedded database, closes the pool first. */
  close(): Promise<void>;
}

/** The database cannot be opened. The message has the location, the reason and, if known, a remedy; never credentials. */
export class DatabaseNotOpened extends Error {
  constructor(location: string, cause: unknown, advice?: string) {
    super(`Cannot open ${location}: ${reasonOf(cause)}${advice === undefined ? '' : `. ${advice}`}`, { cause });
    this.name = new.target.name;
  }
}

/**
 * Opens the database of the service.
 * @throws DatabaseNotOpened
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const { url } = options;
  if (url === undefined) {
    return openEmbedded(options).catch((error: unknown) => {
      throw new DatabaseNotOpened(`the embedded database in ${options.dataDir}`, error);
    });
  }
  const migrated = options.migrate ? await migrateServer(url, options) : [];
  const { directUrl, poolSize, limits = 'serving' } = options;
  const target: DatabaseTarget = { kind: 'postgres', url, directUrl, limits, ...(poolSize === undefined ? {} : { poolSize }) };
  const address = addressOf(url, 'DATABASE_URL');
  const db = await onServer(
    address,
    () => createDataSource(target, options.onTrouble),
    async (opened) => {
      await requireOwnSessions(directUrl === undefined ? address : addressOf(directUrl, 'DATABASE_DIRECT_URL'));
      await requireTables(opened);
      await requireKnownTables(opened, address);
    },
  );
  return { db, kind: 'postgres', migrated, close: () => db.destroy() };
}

/** Migrates on a separate connection, because a migration may run longer than any statement of the service and may need another role. */
async function migrateServer(url: string, options: OpenDatabaseOptions): Promise<string[]> {
  const { directUrl, stopped } = options;
  const migrationUrl = options.migrationUrl ?? directUrl ?? url;
  const role = addressOf(url, 'DATABASE_URL').user;
  const afterwards = async (runner: QueryRunner): Promise<void> => {
    await grantServingRole(runner, role);
  };
  const setting = options.migrationUrl ? 'MIGRATION_DATABASE_URL' : directUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  const address = addressOf(migrationUrl, setting);
  const migrated: string[] = [];
  const db = await onServer(
    address,
    () => createDataSource({ kind: 'postgres', url: migrationUrl, poolSize: 1, limits: 'none' }),
    async (opened) => {
      await requireOwnSessions(address);
      await requireKnownTables(opened, address);
      migrated.push(...(await migrate(opened, { stopped, before: requireCreate, ...(migrationUrl !== url && { afterwards }) })));
    },
  );
  await db.destroy();
  return migrated;
}

function addressOf(url: string, setting: string): ServerAddress {
  try {
    return new ServerAddress(url, { setting });
  } catch (error) {
    throw new DatabaseNotOpened('Postgres', error);
  }
}

/** Connects, checks the server and runs `first`. Closes the connection when one of them fails. */
async function onServer(address: ServerAddress, create: () => DataSource, first: (db: DataSource) => Promise<void>): Promise<DataSource> {
  const location = `Postgres at ${address.location}`;
  const db = await create()
    .initialize()
    .catch((error: unknown) => {
      throw new DatabaseNotOpened(location, error, adviceOn(firstOf(error), address));
    });
  try {
    await requireFit(db, address);
    await first(db);
    return db;
  } catch (error) {
    await db.destroy();
    const advice = adviceOnRights(error, address);
    throw advice !== undefined || error instanceof DatabaseUnfit ? new DatabaseNotOpened(location, error, advice) : error;
  }
}

/** A refused connection to a name with several addresses throws an AggregateError, which holds the reasons. */
const firstOf = (error: unknown): unknown => (error instanceof AggregateError ? error.errors[0] : error);

async function openEmbedded({ dataDir, builtFolder, ...options }: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const { onFatal, onTrouble = () => undefined } = options;
  const embedded = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres'), onFatal, ...(builtFolder ? { builtFolder } : {}) });
  try {
    const db = await createDataSource({ kind: 'embedded', stream: embedded.stream }, onTrouble).initialize();
    await requireKnownTables(db, { setting: 'DATA_DIR' });
    const migrated = options.migrate ? await migrate(db) : [];
    const housekeeping = startHousekeeping(db, onTrouble);
    const close = async (): Promise<void> => {
      await housekeeping.stop();
      await db.destroy();
      await embedded.close();
    };
    return { db, kind: 'embedded', migrated, close };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

/** The AggregateError of a name with several addresses has no message of its own, only those of its errors. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.map(reasonOf).join('; ');
  // A message of OpenSSL ends with a line break.
  return (cause instanceof Error ? cause.message : String(cause)).trimEnd();
}
