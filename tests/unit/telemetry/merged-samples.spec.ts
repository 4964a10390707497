import { MergedSamples, type WorkerSamples } from '../../../src/adapters/out/telemetry/merged-samples';
import type { MetricName } from '../../../src/adapters/out/telemetry/metric-catalogue';
import { sampleOf, type Sample } from '../../../src/adapters/out/telemetry/sample';

const of = (worker: string, process: string, ...samples: Sample[]): WorkerSamples => ({ worker, process, samples });
const relayed = (...series: (readonly [number, ...string[]])[]): Sample => sampleOf('pierhead_integration_requests_total', ...series);
const found = (samples: readonly Sample[], name: MetricName): Record<string, number | undefined> =>
  Object.fromEntries(
    (samples.find((one) => one.name === name)?.series ?? []).map(({ labels, values, worker }) => [
      [...labels, ...(worker === undefined ? [] : [`worker ${worker}`])].join(' '),
      values[0],
    ]),
  );

describe('one scrape of several processes', () => {
  it('adds up counters, takes the maximum of shared gauges, and labels the processes', () => {
    const merged = new MergedSamples(10);
    const samples = merged.merge(
      ['1', '2'].map((worker) =>
        of(
          ...[worker, worker],
          sampleOf('pierhead_requests_total', [5, 'connect', '200']),
          sampleOf('pierhead_deliveries_pending', [7]),
          sampleOf('pierhead_database_pool_waiting', [2]),
          sampleOf('process_resident_memory_bytes', [100]),
        ),
      ),
    );
    expect(found(samples, 'pierhead_requests_total')).toEqual({ 'connect 200': 10 });
    expect(found(samples, 'pierhead_deliveries_pending')).toEqual({ '': 7 });
    expect(found(samples, 'pierhead_database_pool_waiting')).toEqual({ '': 4 });
    expect(found(samples, 'process_resident_memory_bytes')).toEqual({ 'worker 1': 100, 'worker 2': 100 });
  });

  it('never lets a counter decrease when another process replaces one', () => {
    const merged = new MergedSamples(10);
    const seen = (process: string, count: number) => {
      return of('1', process, sampleOf('pierhead_requests_total', [count, 'connect', '200']));
    };
    const totals = [[seen('a', 5), seen('b', 5)], [seen('a', 8), seen('b', 6)], [seen('b', 7)], [seen('b', 7), seen('c', 2)]].map(
      (workers) => found(merged.merge(workers), 'pierhead_requests_total')['connect 200'],
    );
    expect(totals).toEqual([10, 14, 15, 17]);
  });

  it('gives integrations no more slots than one process has', () => {
    const merged = new MergedSamples(2);
    const samples = merged.merge([
      of('1', 'a', relayed([1, 'h', 'app_1', 'ok'], [1, 'h', 'app_2', 'ok'], [1, '(other)', '(other)', 'ok'])),
      of('2', 'b', relayed([1, 'h', 'app_3', 'ok'], [1, 'h', 'app_2', 'ok'])),
    ]);
    expect(found(samples, 'pierhead_integration_requests_total')).toEqual({ 'h app_1 ok': 1, 'h app_2 ok': 2, '(other) (other) ok': 2 });
    const later = merged.merge([of('2', 'b', relayed([2, 'h', 'app_3', 'ok'], [1, 'h', 'app_2', 'ok']))]);
    expect(found(later, 'pierhead_integration_requests_total')).toEqual({ 'h app_2 ok': 2, 'h app_3 ok': 1, '(other) (other) ok': 2 });
  });
});
