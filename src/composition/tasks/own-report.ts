import cluster from 'node:cluster';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Overload } from '../../adapters/in/http/admission/overload';
import type { PoolGauge } from '../../adapters/out/postgres/connection/pool-gauge';
import type { InstanceReport } from '../../domain/operations/instance';
import { ownVersion } from './own-version';

interface Deps {
  readonly id: string;
  readonly startedAt: number;
  readonly pool: PoolGauge;
  readonly overload: Pick<Overload, 'counts'>;
}

/** The sampling interval in milliseconds; shorter delays are not measured. */
const resolution = 20;
const msOf = (nanoseconds: number): number => Math.max(0, Math.round(nanoseconds / 10_000) / 100 - resolution);

/** Creates reports on this process; each covers the time since the one before. */
export function ownReports({ id, startedAt, pool, overload }: Deps): () => InstanceReport {
  const version = ownVersion();
  const role = cluster.isWorker ? 'worker' : 'serving';
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  let [computed, at] = [process.cpuUsage(), performance.now()];
  return () => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(computed);
    const processor = Math.round(((user + system) / 1000 / Math.max(1, now - at)) * 1000) / 1000;
    [computed, at] = [process.cpuUsage(), now];
    const seen = delay.count > 0;
    const loopDelayMs = {
      p50: seen ? msOf(delay.percentile(50)) : 0,
      p99: seen ? msOf(delay.percentile(99)) : 0,
      max: seen ? msOf(delay.max) : 0,
    };
    delay.reset();
    const { calls, shed } = overload.counts();
    const figures = {
      loopDelayMs,
      pool: { ...pool.sizes(), waiting: pool.waiting() },
      calls,
      shed,
      memory: process.memoryUsage.rss(),
      processor,
    };
    return { id, version, role, startedAt, figures };
  };
}
