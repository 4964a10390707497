import { openDatabase } from '../adapters/out/postgres/open-database';
import { startSecrets } from '../config/development-secrets';
import type { Settings } from '../config/settings';
import type { Log } from '../domain/shared/ports';
import { composeService } from './compose-service';
import { listen } from './http-server';

export interface StartOptions {
  readonly settings: Settings;
  readonly log: Log;
  /** Hears that the embedded database stopped for good: the process must end. */
  readonly onFatal: (error: Error) => void;
}

/** A service that serves. */
export interface RunningService {
  readonly url: string;
  readonly database: 'postgres' | 'embedded';
  readonly operatorToken: string;
  /** Where the operator token lies, where it was made here. */
  readonly operatorTokenFile?: string;
  /** Stops accepting, finishes what runs (30 s at most), writes what is buffered, closes the database. */
  stop(): Promise<void>;
}

const graceMs = 30_000;

/** Database, composition, listening, in this order. Rejects with a message for people where one of them cannot be had. */
export async function startService({ settings, log, onFatal }: StartOptions): Promise<RunningService> {
  const secrets = startSecrets(settings);
  const opened = await openDatabase({
    url: settings.databaseUrl,
    migrationUrl: settings.migrationDatabaseUrl,
    dataDir: settings.dataDir,
    migrate: settings.migrate,
    onFatal,
    onTrouble: (error) => {
      log.warn('database-trouble', { exception: error.name });
    },
  });
  if (opened.migrated.length > 0) log.info('migrated', { migrations: opened.migrated.join(',') });
  try {
    const composed = await composeService({ settings, secrets, db: opened.db, log });
    const server = await listen(composed.app, settings);
    const stop = async (): Promise<void> => {
      composed.beginStop();
      await server.close(graceMs);
      await composed.close();
      await opened.close();
    };
    const { operatorToken, operatorTokenFile } = secrets;
    const url = `http://${hostInUrl(settings.host)}:${String(server.port)}`;
    return { url, database: opened.kind, operatorToken, ...(operatorTokenFile ? { operatorTokenFile } : {}), stop };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Where a person on this machine reaches it. */
function hostInUrl(host: string): string {
  if (host === '::' || host === '0.0.0.0' || host === '127.0.0.1') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
