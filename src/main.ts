import 'reflect-metadata';
import cluster from 'node:cluster';
import { WinstonLog } from './adapters/out/logging/winston-log';
import { startDevelopment } from './composition/start-development';
import { startProcesses } from './composition/start-processes';
import { startService, type RunningService } from './composition/start-service';
import { readSettings } from './config/settings';
import { factsOfFault } from './domain/shared/fault';

/** The service as a process, or as several: starts, says where it is, stops in reverse order on SIGTERM and SIGINT. */
export async function main(): Promise<void> {
  const settings = readSettings();
  const { worker } = cluster;
  const log = new WinstonLog({ level: settings.logLevel, ...(worker && { facts: { worker: worker.id } }) });
  const die = (event: string) => (error: unknown) => {
    log.error(event, { ...factsOfFault(error) });
    process.exit(1);
  };
  process.on('uncaughtException', die('uncaught-exception'));
  process.on('unhandledRejection', die('unhandled-rejection'));

  const start = settings.workers > 1 && !worker ? startProcesses : startService;
  const service = await start({ settings, log, onFatal: die('database-died') });
  if (worker) {
    stopAsWorker(service);
    return;
  }
  const sandbox = settings.production ? undefined : await startDevelopment(service, settings, (line) => process.stdout.write(`${line}\n`));
  log.info('listening', { url: service.url, database: service.database, workers: settings.workers });

  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    // A second signal ends at once, and with this process those that serve for it.
    if (stopping) process.exit(1);
    stopping = true;
    log.info('stopping', { signal });
    void (async () => {
      const well = await service.stop();
      await sandbox?.close();
      process.exit(well ? 0 : 1);
    })();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** A terminal or a supervisor may signal each process: those that serve heed the first SIGTERM, and leave SIGINT to the one that started them. */
function stopAsWorker(service: RunningService): void {
  process.once('SIGTERM', () => {
    process.on('SIGTERM', () => undefined);
    void service.stop().then((well) => process.exit(well ? 0 : 1));
  });
  process.on('SIGINT', () => undefined);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    // Before the service stands there is nobody to tell but the person who started it.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
