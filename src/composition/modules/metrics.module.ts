import { setTimeout as pause } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { CallCounts } from '../../adapters/out/telemetry/call-counts';
import { CountedDeliveryQueue } from '../../adapters/out/telemetry/counted-delivery-queue';
import { CountedRateLimiter } from '../../adapters/out/telemetry/counted-rate-limiter';
import { isolationSamples } from '../../adapters/out/telemetry/isolation-samples';
import { processFigures } from '../../adapters/out/telemetry/process-figures';
import { sampleOf } from '../../adapters/out/telemetry/sample';
import { serviceFigures } from '../../adapters/out/telemetry/service-figures';
import { ownVersion } from '../tasks/own-version';
import { provide } from '../tokens/token';
import { T } from '../tokens/tokens';

/** The metrics and their endpoint. */
export const metrics = new ContainerModule(({ bind }) => {
  provide(bind, T.callCounts, { settings: T.settings }, ({ settings }) => new CallCounts(settings.metricsIntegrations));
  provide(bind, T.countedQueue, { queue: T.postgresQueue }, ({ queue }) => new CountedDeliveryQueue(queue));
  provide(bind, T.countedLimiter, { limiter: T.postgresLimiter }, ({ limiter }) => new CountedRateLimiter(limiter));
  provide(
    bind,
    T.ownSamples,
    {
      ...{ calls: T.callCounts, queue: T.countedQueue, limiter: T.countedLimiter, exchanges: T.postgresExchanges },
      ...{ overload: T.overload, isolation: T.partnerIsolation, pool: T.poolGauge, clock: T.clockWatch, box: T.notedBox },
    },
    ({ calls, queue, limiter, exchanges, overload, isolation, pool, clock, box }) => {
      const ofProcess = processFigures();
      const build = sampleOf('pierhead_build_info', [1, ownVersion(), process.version]);
      return () => {
        const { calls: running, shed } = overload.counts();
        const { waiting, lost } = exchanges.figures();
        const { max, open, inUse } = pool.sizes();
        return [
          ...[build, ...calls.samples(), ...queue.samples(), ...limiter.samples(), ...box.samples(), ...ofProcess()],
          sampleOf('pierhead_serving_processes', [1]),
          sampleOf('pierhead_clock_difference_seconds', [clock.aheadS()]),
          sampleOf('pierhead_requests_in_flight', [running]),
          sampleOf('pierhead_requests_shed_total', ...Object.entries(shed).map(([priority, count]) => [count, priority] as const)),
          ...isolationSamples(isolation),
          sampleOf('pierhead_exchange_records_waiting', [waiting]),
          sampleOf('pierhead_exchange_records_dropped_total', [lost]),
          sampleOf('pierhead_database_pool_connections', [inUse, 'in_use'], [open - inUse, 'idle']),
          sampleOf('pierhead_database_pool_connections_max', [max]),
          sampleOf('pierhead_database_pool_waiting', [pool.waiting()]),
          sampleOf('pierhead_database_pool_acquired_total', [pool.served()]),
        ];
      };
    },
  );
  provide(bind, T.sharedSamples, { operations: T.operationsReader }, (deps) =>
    serviceFigures({ ...deps, now: () => performance.now(), pause: (ms) => pause(ms, undefined, { ref: false }) }),
  );
});
