import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';
import { until } from '../../support/service/service';
import { beginServiceProcess, type BegunProcess } from '../../support/service/service-process';
import { childrenOf, isAlive } from '../harness/processes';

/** How long a process may take to get so far, in milliseconds, on a machine that has others to serve. */
const startsWithinMs = 30_000;
/** The time that a stop may take. */
const endsWithinMs = 30_000;

/** Tells a process to stop once `when` holds; its exit code, and whether it had served by then. */
async function stoppedOnce(
  when: () => Promise<boolean>,
  { child, ended }: BegunProcess,
): Promise<{ code: number | null; served: boolean }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece.toString('utf8')));
  await until(when, (holds) => holds, startsWithinMs);
  const signalledAt = performance.now();
  child.kill('SIGTERM');
  const code = await ended;
  expect(performance.now() - signalledAt).toBeLessThan(endsWithinMs);
  return { code, served: output.includes('"message":"listening"') };
}

describe('a process that gets SIGTERM while it starts', () => {
  it('ends with 0 and gives the folder of the embedded database free', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'pierhead-stop-'));
    try {
      const begun = beginServiceProcess({ DATA_DIR: dataDir });
      const isOpening = () => Promise.resolve(existsSync(join(dataDir, 'postgres', 'owner.sock')));
      expect(await stoppedOnce(isOpening, begun)).toEqual({ code: 0, served: false });
      expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['pg']);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

// The embedded database serves one process.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('on Postgres, a process that gets SIGTERM while it starts', () => {
  let database: TestDatabase;
  let url: string;
  /** Apart from the pool of `database`, which is not used: whatever else is there is a process's. */
  let other: Client;
  beforeAll(async () => {
    database = await openTestDatabase('postgres');
    url = (database.target as { url: string }).url;
    other = new Client({ connectionString: url });
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await database.close();
  });

  const count = async (of: string): Promise<number> =>
    (await other.query(`select from pg_stat_activity where datname = current_database() and ${of}`)).rowCount ?? 0;
  let before: number;
  beforeEach(async () => {
    before = await count('true');
  });
  const leavesNothing = async (workers: readonly number[]): Promise<void> => {
    await until(
      () => count('true'),
      (sessions) => sessions <= before,
    );
    expect(workers.filter(isAlive)).toEqual([]);
  };

  it.each([['1'], ['2']])('ends with 0 while another instance migrates (WORKERS=%s)', async (workers) => {
    await other.query(`select pg_advisory_lock(hashtext('pierhead-migrations'))`);
    try {
      const begun = beginServiceProcess({ DATABASE_URL: url, WORKERS: workers });
      const isWaiting = async () => (await count(`query like 'select pg_try_advisory_lock%'`)) > 0;
      expect(await stoppedOnce(isWaiting, begun)).toEqual({ code: 0, served: false });
    } finally {
      await other.query(`select pg_advisory_unlock(hashtext('pierhead-migrations'))`);
    }
    await leavesNothing([]);
  });

  it.each<[string, { signal: NodeJS.Signals | undefined; endedFirst?: boolean }]>([
    ['alone, with processes that start', { signal: undefined }],
    ['with each of its processes, as by a supervisor', { signal: 'SIGTERM' }],
    ['after each of its processes has ended by that', { signal: 'SIGTERM', endedFirst: true }],
    // Who hears that already leaves it to the one that started it, so their end is not waited for.
    ['with each of its processes, as by a key of a terminal', { signal: 'SIGINT' }],
  ])('ends with 0 when the signal comes to it %s', async (_how, { signal, endedFirst }) => {
    const begun = beginServiceProcess({ DATABASE_URL: url, WORKERS: '2', MIGRATE: 'off' });
    let workers: number[] = [];
    const signalAll = async () => {
      workers = childrenOf(begun.child.pid);
      if (workers.length < 2) return false;
      if (signal) for (const worker of workers) process.kill(worker, signal);
      if (endedFirst)
        await until(
          () => Promise.resolve(workers.filter(isAlive)),
          (alive) => alive.length === 0,
        );
      return true;
    };
    expect(await stoppedOnce(signalAll, begun)).toEqual({ code: 0, served: false });
    await leavesNothing(workers);
  });
});
