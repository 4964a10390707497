import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { type Sample, sampleOf } from './sample';

/** The sampling interval in milliseconds; shorter delays are not measured. */
const resolution = 20;
const lagS = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolution / 1000);

/** Samples of the process, with the usual names for Node. Measurements cover the time since the last call. */
export function processFigures(): () => readonly Sample[] {
  const startedAt = (Date.now() - process.uptime() * 1000) / 1000;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  let loop = performance.eventLoopUtilization();
  return () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, loop);
    loop = now;
    const lag = (percentile: number): number => (delay.count > 0 ? lagS(delay.percentile(percentile)) : 0);
    const [p50, p99, max] = [lag(50), lag(99), lag(100)];
    delay.reset();
    return [
      sampleOf('process_cpu_seconds_total', [(user + system) / 1e6]),
      sampleOf('process_resident_memory_bytes', [rss]),
      sampleOf('process_start_time_seconds', [startedAt]),
      sampleOf('nodejs_heap_size_used_bytes', [heapUsed]),
      sampleOf('nodejs_heap_size_total_bytes', [heapTotal]),
      sampleOf('nodejs_external_memory_bytes', [external]),
      sampleOf('nodejs_eventloop_lag_p50_seconds', [p50]),
      sampleOf('nodejs_eventloop_lag_p99_seconds', [p99]),
      sampleOf('nodejs_eventloop_lag_max_seconds', [max]),
      sampleOf('nodejs_eventloop_utilization_ratio', [utilization]),
    ];
  };
}
