import 'reflect-metadata';
import { WinstonLog } from './adapters/out/logging/winston-log';
import { startDevelopment } from './composition/start-development';
import { startService } from './composition/start-service';
import { readSettings } from './config/settings';
import { factsOfFault } from './domain/shared/fault';

/** The service as a process: starts, says where it is, stops in reverse order on SIGTERM and SIGINT. */
export async function main(): Promise<void> {
  const settings = readSettings();
  const log = new WinstonLog({ level: settings.logLevel });
  const die = (event: string) => (error: unknown) => {
    log.error(event, { ...factsOfFault(error) });
    process.exit(1);
  };
  process.on('uncaughtException', die('uncaught-exception'));
  process.on('unhandledRejection', die('unhandled-rejection'));

  if (settings.workers > 1) log.warn('one-process', { workers: settings.workers });
  const service = await startService({ settings, log, onFatal: die('database-died') });
  const sandbox = settings.production ? undefined : await startDevelopment(service, settings, (line) => process.stdout.write(`${line}\n`));
  log.info('listening', { url: service.url, database: service.database });

  const stop = (signal: NodeJS.Signals): void => {
    process.once(signal, () => process.exit(1));
    log.info('stopping', { signal });
    void (async () => {
      await service.stop();
      await sandbox?.close();
      process.exit(0);
    })();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    // Before the service stands there is nobody to tell but the person who started it.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
