import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { WinstonLog } from '../../adapters/out/logging/winston-log';
import { readSettings, type Settings } from '../../config/settings';
import { errorFields } from '../../domain/shared/fault';
import type { Log } from '../../domain/shared/ports';
import { openMetricsServer } from './metrics-server';
import { warnOfOldNode } from './node-support';
import { startDevelopment } from './start-development';
import { startProcesses } from './start-processes';
import { startService, stopWithinMs } from './start-service';
import { stopRequest, type StopSignal, StopRequested } from './stop-signal';
import { answerScrapes } from './worker-scrapes';

/** The running parts. `stop` resolves to true when all of them ended in order and in time. */
interface Running {
  stop(): Promise<boolean>;
}

/** Added to the parts' own time limit, so that they can log the reason, in milliseconds. */
const marginMs = 1000;

/**
 * Runs the service in one process or several: starts it, logs its address, and stops it in reverse order on a signal, even during the
 * start. Resolves when it serves, or must end before that. Rejects when it cannot start.
 */
export async function runService(order: StopSignal): Promise<void> {
  const settings = readSettings();
  const { worker } = cluster;
  const log = new WinstonLog({ level: settings.logLevel, ...(worker && { commonFields: { worker: worker.id } }) });
  const die = (event: string) => (error: unknown) => {
    log.error(event, { ...errorFields(error) });
    process.exit(1);
  };
  process.on('uncaughtException', die('uncaught-exception'));
  process.on('unhandledRejection', die('unhandled-rejection'));

  const running = startAll(settings, log, { order, onFatal: die('database-died') });
  void stopRequest(order).then(({ signal }) => {
    if (!worker) log.info('stopping', { signal });
    return endWell(running, settings, log);
  });
  await running.catch((error: unknown) => {
    // The stop signal ends the process, whatever the result of the start.
    if (!order.given.aborted) throw error;
  });
}

/** A drain request triggers the same shutdown as SIGTERM. */
const onDrain = (): void => void process.kill(process.pid, 'SIGTERM');

interface StartContext {
  readonly order: StopSignal;
  readonly onFatal: (error: unknown) => void;
}

async function startAll(settings: Settings, log: Log, { order, onFatal }: StartContext): Promise<Running> {
  const isServing = cluster.isWorker;
  const start = settings.workers > 1 && !isServing ? startProcesses : startService;
  const service = await start({ settings, log, onFatal, stopped: order.given, onDrain });
  if (isServing) {
    answerScrapes(service.scrape);
    return service;
  }
  const metrics = await openMetricsServer({ settings, log, scrape: () => service.scrape({ shared: true }) });
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const sandbox = settings.production || order.given.aborted ? undefined : await startDevelopment(service, settings, print);
  if (!order.given.aborted) {
    // Logged only now, because a failed start prints its reason in one line.
    warnOfOldNode(log);
    log.info('listening', { url: service.url, database: service.database, workers: settings.workers, metrics: metrics.port });
  }
  return {
    stop: async () => {
      const well = await service.stop();
      await sandbox?.close();
      metrics.close();
      return well;
    },
  };
}

/**
 * Ends the process, with 0 when everything ended in order or nothing had started. Waits for parts that are still starting, so that nothing
 * is left open.
 */
async function endWell(running: Promise<Running>, settings: Settings, log: Log): Promise<void> {
  const stopped = running.then(
    (all) => all.stop(),
    (error: unknown) => {
      if (!(error instanceof StopRequested)) log.warn('start-failed', { ...errorFields(error) });
      return true;
    },
  );
  const overdueMs = stopWithinMs(settings) + marginMs;
  const well = await Promise.race([stopped, pause(overdueMs, undefined, { ref: false })]);
  if (well === undefined) log.error('stop-overdue', { after_ms: overdueMs });
  process.exit(well === true ? 0 : 1);
}
