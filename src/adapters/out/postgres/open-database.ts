import { join } from 'node:path';
import type { DataSource, QueryRunner } from 'typeorm';
import { createDataSource, type DatabaseTarget, type OnConnectionLost } from './data-source';
import { startEmbeddedPostgres } from './embedded/embedded-postgres';
import { startHousekeeping } from './embedded/housekeeping';
import { DatabaseUnfit, requireCreate, requireFit, requireTables } from './connection/check-server';
import { ServerAddress } from './connection/server-address';
import { requireOwnSessions } from './connection/shared-sessions';
import { adviceOn, adviceOnRights } from './connection/start-advice';
import { grantServingRole } from './grant-serving-role';
import { migrate } from './migrate';

export interface OpenDatabaseOptions {
  /** A Postgres URL; without one, the embedded database in `dataDir`. */
  readonly url?: string | undefined;
  /** The address of the database itself where `url` leads to a pooler in transaction mode. */
  readonly directUrl?: string | undefined;
  readonly dataDir: string;
  /** Connections to Postgres at most; 10. The embedded database has one. */
  readonly poolSize?: number | undefined;
  /** `none`: no statement is cut off, for what runs long on purpose; `serving` (default): none may run longer than five seconds. */
  readonly limits?: 'serving' | 'none';
  /** Whether pending migrations run before the database is handed over. */
  readonly migrate: boolean;
  /** The role that owns the tables, where the serving role may not change them: it is given the rights it needs after migrating. */
  readonly migrationUrl?: string | undefined;
  /** Where it is aborted, a migration that waits for another instance's is given up, with its reason. */
  readonly stopped?: AbortSignal | undefined;
  /** Hears, once, that the embedded database stopped for good: end the process. */
  readonly onFatal: (error: Error) => void;
  /** Hears of what does not stop the service: a connection lost while idle, a failed round of housekeeping. */
  readonly onTrouble?: OnConnectionLost;
  /** Where the embedded database was built, for those who run from source. */
  readonly builtFolder?: string;
}

/** A connected database, its tables up to date if that was asked for. */
export interface OpenedDatabase {
  readonly db: DataSource;
  readonly kind: DatabaseTarget['kind'];
  /** Names of the migrations that ran at this start. */
  readonly migrated: readonly string[];
  /** Waits for statements under way, then closes; on the embedded database, the pool first. */
  close(): Promise<void>;
}

/** The database cannot be opened; the message says which, why, and what to do about it where that is known; without credentials. */
export class DatabaseNotOpened extends Error {
  constructor(place: string, cause: unknown, advice?: string) {
    super(`Cannot open ${place}: ${reasonOf(cause)}${advice === undefined ? '' : `. ${advice}`}`, { cause });
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
    },
  );
  return { db, kind: 'postgres', migrated, close: () => db.destroy() };
}

/** On a connection of its own: a migration may take longer than any statement of the service, and may need another role. */
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

/** A connected database that fits, and on which the first work is done; closed again where that fails. */
async function onServer(address: ServerAddress, create: () => DataSource, first: (db: DataSource) => Promise<void>): Promise<DataSource> {
  const place = `Postgres at ${address.place}`;
  const db = await create()
    .initialize()
    .catch((error: unknown) => {
      throw new DatabaseNotOpened(place, error, adviceOn(firstOf(error), address));
    });
  try {
    await requireFit(db, address);
    await first(db);
    return db;
  } catch (error) {
    await db.destroy();
    const advice = adviceOnRights(error, address);
    throw advice !== undefined || error instanceof DatabaseUnfit ? new DatabaseNotOpened(place, error, advice) : error;
  }
}

/** A refused connection to a name with several addresses carries its reasons inside. */
const firstOf = (error: unknown): unknown => (error instanceof AggregateError ? error.errors[0] : error);

async function openEmbedded({ dataDir, builtFolder, ...options }: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const { onFatal, onTrouble = () => undefined } = options;
  const embedded = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres'), onFatal, ...(builtFolder ? { builtFolder } : {}) });
  try {
    const db = await createDataSource({ kind: 'embedded', stream: embedded.stream }, onTrouble).initialize();
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

/** A refused connection to a name with several addresses carries its reasons inside, and none of its own. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.map(reasonOf).join('; ');
  // A message of OpenSSL ends with a line break.
  return (cause instanceof Error ? cause.message : String(cause)).trimEnd();
}
