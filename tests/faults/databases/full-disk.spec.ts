import { setTimeout as pause } from 'node:timers/promises';
import { Client, type QueryResultRow } from 'pg';
import { describeOnOwnPostgres, OwnPostgres } from '../cluster/own-postgres';
import { PayingLoad } from '../cluster/paying-load';
import { figure, within } from '../harness/fault-run';
import { SmallDisk } from './small-disk';

const reportedWithinMs = 10_000;
const backWithinMs = 15_000;

const canMount = ((): boolean => {
  const disk = SmallDisk.mount(1);
  disk?.unmount();
  return disk !== undefined;
})();
if (!canMount) process.stdout.write('Full disks: skipped, as this process may not mount a small one\n');

/** Milliseconds until it holds. */
async function until(holds: () => Promise<boolean>, withinMs: number): Promise<number> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > withinMs) throw new Error(`It did not hold within ${String(withinMs)} ms`);
    await pause(200);
  }
  return performance.now() - startedAt;
}

const reasonsOf = async (load: PayingLoad): Promise<readonly string[]> => {
  const { status, text } = await load.read('/health/ready');
  return status === 200 ? [] : (JSON.parse(text) as { reasons: string[] }).reasons;
};

/** Fills the disk under payments, and makes room again; what callers and readiness said meanwhile. */
async function fillAndEmpty(load: PayingLoad, disk: SmallDisk) {
  for (let n = 0; n < 20; n++) await load.complete((await load.create()) ?? '');
  const before = load.answers.length;
  disk.fill();
  const refusedMs = await until(async () => {
    await load.create();
    return load.answers.at(-1)?.status === 503;
  }, 60_000);
  const reportedMs = await until(async () => (await reasonsOf(load)).includes('database-full'), reportedWithinMs);
  await load.create();
  const refused = load.answers.slice(before).filter(({ status }) => status === 503);
  const causes = [...new Set(refused.map(({ body }) => body.custom_attributes?.cause))];
  disk.empty();
  const backMs = await until(async () => (await reasonsOf(load)).length === 0, backWithinMs);
  for (let n = 0; n < 20; n++) await load.complete((await load.create()) ?? '');
  return {
    causes,
    counts: { refusedMs: Math.round(refusedMs), reportedMs: Math.round(reportedMs), backMs: Math.round(backMs), refused: refused.length },
  };
}

(canMount ? describeOnOwnPostgres : describe.skip)('the disk of a Postgres is full', () => {
  let disk: SmallDisk;
  let database: OwnPostgres;
  let load: PayingLoad;
  let url: string;
  beforeAll(async () => {
    disk = SmallDisk.mount(60)!;
    database = await OwnPostgres.create();
    await database.query(`create tablespace small location '${disk.folder}'`);
    await database.query('create database small tablespace small');
    url = database.url.replace(/postgres$/, 'small');
    load = await PayingLoad.over(url);
  }, 60_000);
  afterAll(async () => {
    await load.close();
    await database.remove();
    disk.unmount();
  }, 60_000);

  it(
    'the service reports it, loses nothing and recovers by itself (A7)',
    async () => {
      const startedAt = performance.now();
      const { causes, counts } = await fillAndEmpty(load, disk);
      const tally = await load.tally({ query });
      figure('disk', { ...counts, ...tally }, startedAt);
      expect(causes).toEqual(['database-full']);
      expect(tally).toMatchObject({ withoutRow: 0, lost: 0, invented: 0, stillPending: 0 });
      expect(load.acknowledged.size).toBeGreaterThan(30);
    },
    within(120_000),
  );

  async function query<Row extends QueryResultRow>(text: string): Promise<Row[]> {
    const session = new Client({ connectionString: url });
    await session.connect();
    try {
      return (await session.query<Row>(text)).rows;
    } finally {
      await session.end();
    }
  }
});

(canMount ? describe : describe.skip)('the disk of the embedded database is full', () => {
  let disk: SmallDisk;
  let load: PayingLoad;
  beforeAll(async () => {
    disk = SmallDisk.mount(90)!;
    load = await PayingLoad.over(undefined, { DATA_DIR: disk.folder });
  }, 60_000);
  afterAll(async () => {
    await load.close();
    disk.unmount();
  }, 60_000);

  it(
    'the service reports it, loses nothing and recovers by itself (A7)',
    async () => {
      const startedAt = performance.now();
      const { causes, counts } = await fillAndEmpty(load, disk);
      const { text } = await load.read('/manage/v1/payments?status=paid&limit=200');
      const paid = new Set((JSON.parse(text) as { data: { order_payment_id: string }[] }).data.map((row) => row.order_payment_id));
      const lost = [...load.acknowledged].filter((id) => !paid.has(id)).length;
      figure('disk', { ...counts, acknowledged: load.acknowledged.size, lost }, startedAt);
      expect(causes).toEqual(['database-full']);
      expect(lost).toBe(0);
      expect(load.acknowledged.size).toBeGreaterThan(30);
    },
    within(120_000),
  );
});
