import { openDatabase } from '../../adapters/out/postgres/connection/open-database';
import { requireDataDir } from '../../config/data-dir';
import type { Settings } from '../../config/settings';

/** Runs pending migrations. Resolves to their names. */
export async function migrateOnce({ databaseUrl, databaseDirectUrl, migrationDatabaseUrl, dataDir }: Settings): Promise<readonly string[]> {
  const onFatal = (error: Error): void => {
    throw error;
  };
  if (databaseUrl === undefined) requireDataDir(dataDir);
  const opened = await openDatabase({
    url: databaseUrl,
    directUrl: databaseDirectUrl,
    migrationUrl: migrationDatabaseUrl,
    dataDir,
    migrate: true,
    onFatal,
  });
  await opened.close();
  return opened.migrated;
}
