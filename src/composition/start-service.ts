import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../adapters/out/postgres/open-database';
import { startSecrets } from '../config/development-secrets';
import type { Settings } from '../config/settings';
import type { Log } from '../domain/shared/ports';
import { composeService, type ComposedService, type Scrape } from './compose-service';
import { listen, type HttpServer } from './http-server';

export interface StartOptions {
  readonly settings: Settings;
  readonly log: Log;
  /** Hears that the embedded database stopped for good: the process must end. */
  readonly onFatal: (error: Error) => void;
  /** Where it is aborted before the service serves, the start rejects with its reason and leaves nothing behind. */
  readonly stopped?: AbortSignal;
  /** Called once where the operator asks this instance to leave. */
  readonly onDrain?: () => void;
}

/** A service that serves. */
export interface RunningService {
  readonly url: string;
  readonly database: 'postgres' | 'embedded';
  readonly operatorToken: string;
  /** Where the operator token lies, where it was made here. */
  readonly operatorTokenFile?: string;
  readonly scrape: Scrape;
  /**
   * Not ready any more; accepts for `stopDelayMs` longer, finishes what runs (30 s at most), writes buffered records, closes the
   * database. False: it was not done within `stopWithinMs`, and the rest must be cut off.
   */
  stop(): Promise<boolean>;
}

const graceMs = 30_000;
/** Callers stand still, too: pauses of a second are known of many. */
const productionLingerMs = 2000;

/** When a stop must be over, in milliseconds: what hangs after the last answer, such as a database, has a second and a half. */
export const stopWithinMs = ({ stopDelayMs }: Pick<Settings, 'stopDelayMs'>): number => stopDelayMs + graceMs + 1500;

/** Database, composition, listening, in this order. Rejects with a message for people where one of them cannot be had. */
export async function startService({ settings, log, onFatal, stopped, onDrain }: StartOptions): Promise<RunningService> {
  const secrets = startSecrets(settings);
  const opened = await openDatabase({
    url: settings.databaseUrl,
    directUrl: settings.databaseDirectUrl,
    poolSize: settings.databasePool,
    migrationUrl: settings.migrationDatabaseUrl,
    dataDir: settings.dataDir,
    migrate: settings.migrate,
    onFatal,
    stopped,
    onTrouble: (error) => {
      log.warn('database-trouble', { exception: error.name });
    },
  });
  if (opened.migrated.length > 0) log.info('migrated', { migrations: opened.migrated.join(',') });
  try {
    stopped?.throwIfAborted();
    const composed = await composeService({ settings, secrets, db: opened.db, log, ...(onDrain && { onDrain }) });
    const server = await serve(composed, settings);
    const stop = stopOf({ composed, server, opened, settings, log });
    const { operatorToken, operatorTokenFile } = secrets;
    const url = listensAt(settings.host, server.port);
    return {
      url,
      database: opened.kind,
      operatorToken,
      ...(operatorTokenFile ? { operatorTokenFile } : {}),
      scrape: composed.scrape,
      stop,
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Listens; a service that may not is closed again. */
async function serve(composed: ComposedService, settings: Settings): Promise<HttpServer> {
  try {
    await composed.warmUp();
    return await listen(composed.app, settings);
  } catch (error) {
    composed.beginStop();
    await composed.close();
    throw error;
  }
}

interface Running extends Pick<StartOptions, 'settings' | 'log'> {
  readonly composed: Awaited<ReturnType<typeof composeService>>;
  readonly server: Awaited<ReturnType<typeof listen>>;
  readonly opened: Awaited<ReturnType<typeof openDatabase>>;
}

/** Stops in order; resolves to whether that was in time. */
function stopOf({ composed, server, opened, settings, log }: Running): () => Promise<boolean> {
  const stopInOrder = async (): Promise<boolean> => {
    composed.beginStop();
    await server.close(graceMs, { acceptForMs: settings.stopDelayMs, ...(settings.production && { lingerMs: productionLingerMs }) });
    await composed.close();
    await opened.close();
    return true;
  };
  return async () => {
    const inTime = await Promise.race([stopInOrder(), pause(stopWithinMs(settings), false, { ref: false })]);
    if (!inTime) log.error('stop-overdue', { after_ms: stopWithinMs(settings) });
    return inTime;
  };
}

/** Where a person on this machine reaches it. */
export const listensAt = (host: string, port: number): string => `http://${hostInUrl(host)}:${String(port)}`;

function hostInUrl(host: string): string {
  if (host === '::' || host === '0.0.0.0' || host === '127.0.0.1') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
