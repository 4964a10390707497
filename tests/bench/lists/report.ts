import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../support/postgres/postgres-server';
import { BenchDatabase } from '../bench-database';
import { BenchService } from '../bench-service';
import { pageFile } from '../page/performance-page';
import { printLine } from '../round';
import { fill } from './fill';
import { listPlans, type ListPlan } from './list-plans';
import { costRows, listsAsText, pageWithLists } from './lists-page';
import { measureLists } from './measure-lists';
import { table } from '../page/tables';

const build = join(__dirname, '../../../dist');
const probe = join(__dirname, 'statement-probe.cjs');
const longestWaitMs = 120_000;

/**
 * Measures every list of the manage API on BENCH_ROWS of each record (a million), or those whose path begins with one of `names`.
 * BENCH_DATABASE: a database that stays, filled where it is empty; BENCH_KEEP=on writes the page.
 */
export async function main(names: readonly string[]): Promise<void> {
  const rows = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
  const kept = process.env['BENCH_DATABASE'];
  const database = kept === undefined ? await BenchDatabase.open('lists') : await BenchDatabase.at(kept);
  try {
    if (await isEmpty(database)) await fillNew(database, rows);
    const plans = listPlans(rows).filter(({ list }) => names.length === 0 || names.some((name) => list.startsWith(name)));
    const costs = await measure(database, plans);
    process.stdout.write(`${table(costRows(costs))}\n`);
    if (process.env['BENCH_KEEP'] === 'on') {
      writeFileSync(pageFile, pageWithLists(readFileSync(pageFile, 'utf8'), listsAsText(costs, { rows, postgres: database.version })));
    }
  } finally {
    await database.close();
  }
}

const isEmpty = async (database: BenchDatabase): Promise<boolean> =>
  (await database.query('select from pg_tables where schemaname = current_schema()')).length === 0;

/** The service makes the tables; it is away while they are filled. */
async function fillNew(database: BenchDatabase, rows: number): Promise<void> {
  const service = await BenchService.onPostgres(build, database.url);
  await service.stop();
  await fill(database, rows);
}

async function measure(database: BenchDatabase, plans: readonly ListPlan[]) {
  const port = String(await freePort());
  const service = await BenchService.onPostgres(build, database.url, { PROBE_PORT: port }, ['--require', probe]);
  try {
    await untilSummed(database);
    return await measureLists({ service, database, probeUrl: `http://127.0.0.1:${port}` }, plans);
  } finally {
    await service.stop();
  }
}

/** A service that has just started sums up the last records, which must not count with its answers. */
async function untilSummed(database: BenchDatabase): Promise<void> {
  const giveUpAt = performance.now() + longestWaitMs;
  for (;;) {
    const [row] = await database.query<{ behind: boolean }>(
      `select min(until) < now() - interval '3 minutes' or (select count(*) from money_sum_progress where since = '-infinity') < 2 as behind
       from figure_progress where grain = 'minute'`,
    );
    if (row?.behind === false) break;
    if (performance.now() > giveUpAt) throw new Error('The service does not come to an end of its sums');
    printLine('the service sums up what came last');
    await pause(2000);
  }
  // As the server does by itself for tables that are filled over months.
  await database.query('vacuum (analyze) reported_sums, paid_sums');
}
