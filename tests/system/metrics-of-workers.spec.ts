import { openTestDatabase, type TestDatabase } from '../support/postgres/database';
import { childrenOf } from '../faults/harness/processes';
import { freePort } from '../support/postgres/postgres-server';
import { scrapeAt, totalOf } from '../support/service/scrape';
import { until } from '../support/service/service';
import { startServiceProcess, type ServiceProcess } from '../support/service/service-process';

let database: TestDatabase;
let service: ServiceProcess;
let port: number;
beforeAll(async () => {
  database = await openTestDatabase('postgres');
  if (database.target.kind !== 'postgres') throw new Error('Several processes need a Postgres');
  port = await freePort();
  service = await startServiceProcess({ DATABASE_URL: database.target.url, WORKERS: '2', METRICS_PORT: String(port) });
}, 60_000);
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  await expect(scrapeAt(port)).rejects.toThrow();
  await database.close();
}, 60_000);

const called = async (times: number): Promise<void> => {
  const request = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } };
  for (let n = 0; n < times; n++) expect((await fetch(`${service.url}/api/v1/connect`, request)).status).toBe(400);
};
const counted = (lines: Awaited<ReturnType<typeof scrapeAt>>['lines']): number =>
  totalOf(lines, 'pierhead_requests_total', { call: 'connect' });

describe('a scrape of a service of several processes', () => {
  it('covers all of them, and continues after one has ended', async () => {
    await called(10);
    const { lines } = await until(
      () => scrapeAt(port),
      (found) => counted(found.lines) === 10,
    );
    expect(totalOf(lines, 'pierhead_serving_processes')).toBe(2);
    expect(totalOf(lines, 'pierhead_database_up')).toBe(1);
    expect(lines.filter(({ name }) => name === 'process_resident_memory_bytes').map(({ labels }) => labels['worker'])).toEqual(['1', '2']);

    process.kill(childrenOf(service.pid)[0] ?? 0, 'SIGKILL');
    await until(
      () => scrapeAt(port),
      (found) => totalOf(found.lines, 'pierhead_serving_processes') === 1,
    );
    const after = await until(
      () => scrapeAt(port),
      (found) => totalOf(found.lines, 'pierhead_serving_processes') === 2,
      30_000,
    );
    expect(counted(after.lines)).toBe(10);
    await called(5);
    await until(
      () => scrapeAt(port),
      (found) => counted(found.lines) === 15,
    );
    const { lines: last } = await scrapeAt(port);
    expect(
      last
        .filter(({ name }) => name === 'process_resident_memory_bytes')
        .map(({ labels }) => labels['worker'])
        .sort(),
    ).toEqual(['1', '2']);
  }, 60_000);
});
