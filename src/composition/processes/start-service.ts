import { setTimeout as pause } from 'node:timers/promises';
import { errorFields } from '../../domain/shared/fault';
import { openDatabase } from '../../adapters/out/postgres/connection/open-database';
import { startSecrets } from '../../config/development-secrets';
import type { Settings } from '../../config/settings';
import type { Log } from '../../domain/shared/ports';
import { composeService, type ComposedService, type Scrape } from './compose-service';
import { listen, type HttpServer } from './http-server';

export interface StartOptions {
  readonly settings: Settings;
  readonly log: Log;
  /** Called when the embedded database has failed for good: the process must end. */
  readonly onFatal: (error: Error) => void;
  /** When aborted before the service serves, the start rejects with the abort reason and cleans up. */
  readonly stopped?: AbortSignal;
  /** Called once when the operator asks this instance to leave. */
  readonly onDrain?: () => void;
}

/** A running service. */
export interface RunningService {
  readonly url: string;
  readonly database: 'postgres' | 'embedded';
  readonly operatorToken: string;
  /** The file of the operator token, if this start created it. */
  readonly operatorTokenFile?: string;
  readonly scrape: Scrape;
  /**
   * Stops the service: it becomes not ready, accepts connections for `stopDelayMs` longer, finishes running requests (30 s at most), writes
   * buffered records and closes the database. False: it took longer than `stopWithinMs`, and the rest must be cut off.
   */
  stop(): Promise<boolean>;
}

const graceMs = 30_000;
/** Callers may pause too; pauses of a second are common. */
const productionLingerMs = 2000;

/** The time limit of a stop, in milliseconds. It leaves 1.5 s after the last answer for other work, such as the database. */
export const stopWithinMs = ({ stopDelayMs }: Pick<Settings, 'stopDelayMs'>): number => stopDelayMs + graceMs + 1500;

/** Opens the database, composes the service and listens, in this order. Rejects with a readable message when one of them fails. */
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
      log.warn('database-trouble', { ...errorFields(error) });
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

/** Listens; closes the service again when it cannot. */
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

/** Stops the parts in order; resolves to whether that was in time. */
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

/** The service's URL for a person on this machine. */
export const listensAt = (host: string, port: number): string => `http://${hostInUrl(host)}:${String(port)}`;

function hostInUrl(host: string): string {
  if (host === '::' || host === '0.0.0.0' || host === '127.0.0.1') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
