import { openDatabase } from '../../adapters/out/postgres/connection/open-database';
import type { Sample } from '../../adapters/out/telemetry/sample';
import { startSecrets } from '../../config/development-secrets';
import type { Settings } from '../../config/settings';
import type { Log } from '../../domain/shared/ports';
import { ServingProcesses } from './serving-processes';
import { listensAt, stopWithinMs, type RunningService, type StartOptions } from './start-service';
import { WorkerScrapes } from './worker-scrapes';

/** Added to the time limit of a process, so that it can log the reason, in milliseconds. */
const marginMs = 500;

/**
 * Starts the service as several processes that share a port. Secrets, tables and checks are handled once here, before the processes start.
 * Rejects with a readable message, as `startService` does.
 */
export async function startProcesses({ settings, log, stopped }: StartOptions): Promise<RunningService> {
  const { operatorToken, operatorTokenFile } = startSecrets(settings);
  await prepareDatabase(settings, log, stopped);
  const processes = new ServingProcesses({ count: settings.workers, log, stopWithinMs: stopWithinMs(settings) + marginMs });
  const port = await processes.start(stopped).catch(async (error: unknown) => {
    await processes.stop();
    throw error;
  });
  const url = listensAt(settings.host, port);
  const stop = (): Promise<boolean> => processes.stop();
  const scrapes = new WorkerScrapes(settings.metricsIntegrations);
  const scrape = (): Promise<readonly Sample[]> => scrapes.scrape();
  return { url, database: 'postgres', operatorToken, ...(operatorTokenFile ? { operatorTokenFile } : {}), scrape, stop };
}

/** Migrates the tables, or at least checks that the database is available. Holds no connection afterwards. */
async function prepareDatabase(settings: Settings, log: Log, stopped: AbortSignal | undefined): Promise<void> {
  const { databaseUrl: url, databaseDirectUrl: directUrl, migrationDatabaseUrl: migrationUrl, dataDir, migrate } = settings;
  const opened = await openDatabase({ url, directUrl, migrationUrl, dataDir, migrate, poolSize: 1, stopped, onFatal: () => undefined });
  await opened.close();
  if (opened.migrated.length > 0) log.info('migrated', { migrations: opened.migrated.join(',') });
}
