import { openDatabase, type OpenedDatabase } from '../adapters/out/postgres/open-database';
import { requireDataDir } from '../config/data-dir';
import type { Settings } from '../config/settings';

/**
 * Does work of the command line on the database of the service, without limits on time and without migrating it.
 * Throws DatabaseNotOpened: the embedded database while a service has its folder.
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
