import { join } from 'node:path';
import type { DataSource, QueryRunner } from 'typeorm';
import { createDataSource, type DatabaseTarget, type OnConnectionLost } from './data-source';
import { startEmbeddedPostgres } from './embedded/embedded-postgres';
import { startHousekeeping } from './embedded/housekeeping';
import { AuditTrailUnprotected, grantServingRole, roleOf } from './grant-serving-role';
import { migrate } from './migrate';

export interface OpenDatabaseOptions {
  /** A Postgres URL; without one, the embedded database in `dataDir`. */
  readonly url?: string | undefined;
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
  /** Hears of what does not stop the service: a connection lost while idle, a failed round of housekeeping, AuditTrailUnprotected. */
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

/** The database cannot be opened; the message says which and why, without credentials. */
export class DatabaseNotOpened extends Error {
  constructor(place: string, cause: unknown) {
    super(`Cannot open ${place}: ${reasonOf(cause)}`, { cause });
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
  const { poolSize, limits = 'serving' } = options;
  const target: DatabaseTarget = { kind: 'postgres', url, limits, ...(poolSize === undefined ? {} : { poolSize }) };
  const db = await connect(target, options.onTrouble);
  return { db, kind: 'postgres', migrated, close: () => db.destroy() };
}

/** On a connection of its own: a migration may take longer than any statement of the service, and may need another role. */
async function migrateServer(url: string, { migrationUrl = url, onTrouble, stopped }: OpenDatabaseOptions): Promise<string[]> {
  const db = await connect({ kind: 'postgres', url: migrationUrl, poolSize: 1, limits: 'none' });
  const role = roleOf(url);
  const afterwards = async (runner: QueryRunner): Promise<void> => {
    if (!(await grantServingRole(runner, role))) onTrouble?.(new AuditTrailUnprotected(role));
  };
  return migrate(db, { stopped, ...(migrationUrl !== url && { afterwards }) }).finally(() => db.destroy());
}

async function connect(target: DatabaseTarget & { kind: 'postgres' }, onTrouble?: OnConnectionLost): Promise<DataSource> {
  try {
    return await createDataSource(target, onTrouble).initialize();
  } catch (error) {
    throw new DatabaseNotOpened(placeOf(target.url), error);
  }
}

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

function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'Postgres at a DATABASE_URL that is not a URL';
  const { host, pathname } = new URL(url);
  return `Postgres at ${host}${pathname}`;
}

/** A refused connection to a name with several addresses carries its reasons inside, and none of its own. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.map(reasonOf).join('; ');
  return cause instanceof Error ? cause.message : String(cause);
}
