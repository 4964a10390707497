import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { WinstonLog } from '../adapters/out/logging/winston-log';
import { readSettings, type Settings } from '../config/settings';
import { factsOfFault } from '../domain/shared/fault';
import type { Log } from '../domain/shared/ports';
import { openMetricsDoor } from './metrics-door';
import { startDevelopment } from './start-development';
import { startProcesses } from './start-processes';
import { startService, stopWithinMs } from './start-service';
import { orderOf, type StopOrder, ToldToStop } from './stop-order';
import { answerScrapes } from './worker-scrapes';

/** What runs, until it is stopped. True: all of it ended in order, in time. */
interface Running {
  stop(): Promise<boolean>;
}

/** Beyond the time that the parts give themselves, so that they can say why, in milliseconds. */
const marginMs = 1000;

/**
 * The service as a process, or as several: starts, says where it is, stops in reverse order on a signal; while it still
 * starts, too. Resolves when it serves, or is to end before it does. Rejects where it cannot start.
 */
export async function runService(order: StopOrder): Promise<void> {
  const settings = readSettings();
  const { worker } = cluster;
  const log = new WinstonLog({ level: settings.logLevel, ...(worker && { facts: { worker: worker.id } }) });
  const die = (event: string) => (error: unknown) => {
    log.error(event, { ...factsOfFault(error) });
    process.exit(1);
  };
  process.on('uncaughtException', die('uncaught-exception'));
  process.on('unhandledRejection', die('unhandled-rejection'));

  const running = startAll(settings, log, { order, onFatal: die('database-died') });
  void orderOf(order).then(({ signal }) => {
    if (!worker) log.info('stopping', { signal });
    return endWell(running, settings, log);
  });
  await running.catch((error: unknown) => {
    // The order ends the process, however the start has ended.
    if (!order.given.aborted) throw error;
  });
}

/** A drain request triggers the same shutdown as SIGTERM. */
const onDrain = (): void => void process.kill(process.pid, 'SIGTERM');

interface Around {
  readonly order: StopOrder;
  readonly onFatal: (error: unknown) => void;
}

async function startAll(settings: Settings, log: Log, { order, onFatal }: Around): Promise<Running> {
  const isServing = cluster.isWorker;
  const start = settings.workers > 1 && !isServing ? startProcesses : startService;
  const service = await start({ settings, log, onFatal, stopped: order.given, onDrain });
  if (isServing) {
    answerScrapes(service.scrape);
    return service;
  }
  const metrics = await openMetricsDoor({ settings, log, scrape: () => service.scrape({ shared: true }) });
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const sandbox = settings.production || order.given.aborted ? undefined : await startDevelopment(service, settings, print);
  if (!order.given.aborted)
    log.info('listening', { url: service.url, database: service.database, workers: settings.workers, metrics: metrics.port });
  return {
    stop: async () => {
      const well = await service.stop();
      await sandbox?.close();
      metrics.close();
      return well;
    },
  };
}

/** Ends the process: with 0 where all ended in order, or nothing had begun. Waits for parts that are still starting, so that nothing is left behind. */
async function endWell(running: Promise<Running>, settings: Settings, log: Log): Promise<void> {
  const stopped = running.then(
    (all) => all.stop(),
    (error: unknown) => {
      if (!(error instanceof ToldToStop)) log.warn('start-failed', { ...factsOfFault(error) });
      return true;
    },
  );
  const overdueMs = stopWithinMs(settings) + marginMs;
  const well = await Promise.race([stopped, pause(overdueMs, undefined, { ref: false })]);
  if (well === undefined) log.error('stop-overdue', { after_ms: overdueMs });
  process.exit(well === true ? 0 : 1);
}
