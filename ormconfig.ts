import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource } from './src/adapters/out/postgres/connection/data-source';
import { startEmbeddedPostgres } from './src/adapters/out/postgres/embedded/embedded-postgres';
import { readSettings } from './src/config/settings';

/** The data source of TypeORM's own command line, after a build: `npx typeorm migration:show -d dist/ormconfig.js`. */
async function commandLineDataSource(): Promise<DataSource> {
  // Only what names the database: the rest that a start of the service needs is not asked for here.
  const { DATABASE_URL, MIGRATION_DATABASE_URL, DATA_DIR } = process.env;
  const { databaseUrl, migrationDatabaseUrl, dataDir } = readSettings({ DATABASE_URL, MIGRATION_DATABASE_URL, DATA_DIR });
  const url = migrationDatabaseUrl ?? databaseUrl;
  if (url !== undefined) return createDataSource({ kind: 'postgres', url, poolSize: 2, limits: 'none' });

  const embedded = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres') });
  const db = createDataSource({ kind: 'embedded', stream: embedded.stream });
  const disconnect = db.destroy.bind(db);
  // The command line ends by closing its data source, and knows nothing of the database behind it.
  db.destroy = async () => {
    await disconnect();
    await embedded.close();
  };
  return db;
}

export default commandLineDataSource();
