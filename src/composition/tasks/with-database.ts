import { openDatabase, type OpenedDatabase } from '../../adapters/out/postgres/connection/open-database';
import { requireDataDir } from '../../config/data-dir';
import type { Settings } from '../../config/settings';

/**
 * Runs work of the command line on the service's database, without time limits and without migrating. Throws DatabaseNotOpened, also for
 * the embedded database while a service uses its folder.
 */
export async function withDatabase<T>(
  { databaseUrl, databaseDirectUrl, dataDir }: Settings,
  work: (opened: OpenedDatabase) => Promise<T>,
): Promise<T> {
  const onFatal = (error: Error): void => {
    throw error;
  };
  if (databaseUrl === undefined) requireDataDir(dataDir);
  const opened = await openDatabase({
    url: databaseDirectUrl ?? databaseUrl,
    dataDir,
    migrate: false,
    limits: 'none',
    poolSize: 1,
    onFatal,
  });
  return work(opened).finally(() => opened.close());
}
