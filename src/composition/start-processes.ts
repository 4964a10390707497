import { openDatabase } from '../adapters/out/postgres/open-database';
import type { Sample } from '../adapters/out/telemetry/sample';
import { startSecrets } from '../config/development-secrets';
import type { Settings } from '../config/settings';
import type { Log } from '../domain/shared/ports';
import { ServingProcesses } from './serving-processes';
import { listensAt, stopWithinMs, type RunningService, type StartOptions } from './start-service';
import { WorkerScrapes } from './worker-scrapes';

/** Beyond the time that a process gives itself, so that it can say why, in milliseconds. */
const marginMs = 500;

/**
 * The service as several processes that share a port: secrets, tables and checks once, here, then the processes. Rejects with
 * a message for people, as `startService` does.
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

/** Brings the tables up to date, or sees at least that the database is there. Holds no connection afterwards. */
async function prepareDatabase(settings: Settings, log: Log, stopped: AbortSignal | undefined): Promise<void> {
  const { databaseUrl: url, databaseDirectUrl: directUrl, migrationDatabaseUrl: migrationUrl, dataDir, migrate } = settings;
  const opened = await openDatabase({ url, directUrl, migrationUrl, dataDir, migrate, poolSize: 1, stopped, onFatal: () => undefined });
  await opened.close();
  if (opened.migrated.length > 0) log.info('migrated', { migrations: opened.migrated.join(',') });
}
