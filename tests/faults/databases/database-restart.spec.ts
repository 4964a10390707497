import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { describeOnOwnPostgres, OwnPostgres } from '../cluster/own-postgres';
import { PayingLoad } from '../cluster/paying-load';
import { figure, inThisForm, within } from '../harness/fault-run';

const restarts = inThisForm({ short: 2, long: 20 });
const loadMs = inThisForm({ short: 300, long: 2000 });
const awayMs = inThisForm({ short: 1500, long: 30_000 });
const perSecond = inThisForm({ short: 40, long: 60 });
/** From the first connection that the server takes to the first 200, in milliseconds. */
const backWithinMs = 3000;
/** A use is noted once a minute, where the database is there, and written five seconds later; the short form ends before. */
const usesNotedWithinS = inThisForm({ short: Infinity, long: 75 });
/** Connections of a service, when nothing else is set. */
const poolSize = 10;

describeOnOwnPostgres('a Postgres of its own, under load', () => {
  let database: OwnPostgres;
  let load: PayingLoad;
  beforeAll(async () => {
    database = await OwnPostgres.create();
    load = await PayingLoad.over(database.url);
  }, 60_000);
  afterAll(async () => {
    await load.close();
    await database.remove();
  }, 30_000);

  /** Milliseconds until the service answers with 200 again after the server was down for so long. */
  const restart = async (mode: 'fast' | 'immediate', downMs: number): Promise<number> => {
    await database.stop(mode);
    const downAt = performance.now();
    await pause(downMs);
    const upAt = await database.start();
    const { at } = await load.okAfter(downAt);
    return Math.max(0, at - upAt);
  };

  it(
    'is reconnected to after each restart, without losing acknowledged calls (R3)',
    async () => {
      const startedAt = performance.now();
      const backMs: number[] = [];
      load.begin(perSecond);
      await pause(loadMs);
      for (let turn = 0; turn < restarts; turn++) {
        backMs.push(await restart(turn % 2 === 0 ? 'fast' : 'immediate', 0));
        await pause(loadMs);
      }
      backMs.push(await restart('immediate', awayMs));
      await pause(loadMs);
      await load.end();
      const slowest = Math.max(...backMs);
      const counts = {
        ...{ restarts, awayS: awayMs / 1000, calls: load.answers.length, ...load.statuses(), unclear: load.unclear().length },
        ...{ ...(await load.tally(database)), unrecorded: await load.unrecorded(database), listening: await listening() },
        ...{ backS: round(slowest / 1000), longestCallS: round(Math.max(...load.answers.map(({ ms }) => ms)) / 1000) },
      };
      figure('R3', counts, startedAt);
      await until(async () => (await lastUseNotedAgoS()) < usesNotedWithinS);
      expect(await lastUseNotedAgoS()).toBeLessThan(usesNotedWithinS);
      expect(load.unclear().slice(0, 3)).toEqual([]);
      expect(counts).toMatchObject({ withoutRow: 0, lost: 0, invented: 0, altered: 0, stillPending: 0, unrecorded: 0, listening: 1 });
      expect(slowest).toBeLessThanOrEqual(backWithinMs);
      expect(load.acknowledged.size).toBeGreaterThan(restarts * 3);
    },
    within(60_000),
  );

  it('answers 503 while all its connections wait, and serves as soon as they are free', async () => {
    const startedAt = performance.now();
    const id = await load.create();
    const lock = new Client({ connectionString: database.url });
    await lock.connect();
    await lock.query('begin');
    await lock.query('select from order_payments where order_payment_id = $1 for update', [id]);
    const before = load.answers.length;
    const waiting = Array.from({ length: poolSize }, () => load.complete(id!));
    await until(async () => (await waitingForLock()) === poolSize);
    const turnedAway = await Promise.all([1, 2, 3, 4].map(() => load.create()));
    await lock.query('rollback');
    const freeAt = performance.now();
    await lock.end();
    const answered = await Promise.all(waiting);
    const next = await load.create();
    const refused = load.answers.slice(before).filter(({ status }) => status === 503);
    const counts = {
      ...{ waiting: waiting.length, refused: refused.length, unclear: load.unclear().length },
      ...{ slowestRefusalS: round(Math.max(...refused.map(({ ms }) => ms)) / 1000), backS: round((performance.now() - freeAt) / 1000) },
    };
    figure('pool', counts, startedAt);
    expect(turnedAway).toEqual([undefined, undefined, undefined, undefined]);
    expect(answered.map(({ status }) => status)).toEqual(waiting.map(() => 200));
    expect(next).toBeDefined();
    expect(counts).toMatchObject({ refused: 4, unclear: 0 });
    expect(counts.slowestRefusalS).toBeLessThan(3);
    expect(counts.backS).toBeLessThan(2);
  }, 30_000);

  const lastUseNotedAgoS = async (): Promise<number> => {
    const text = 'select extract(epoch from now() - max(last_used_at))::float8 as s from partner_credentials';
    return (await database.query<{ s: number | null }>(text))[0]?.s ?? 0;
  };

  const waitingForLock = async (): Promise<number> =>
    (await database.query(`select from pg_stat_activity where application_name = 'pierhead' and wait_event_type = 'Lock'`)).length;

  /** Sessions that listen for changes: the feed has found the server again. */
  const listening = async (): Promise<number> => {
    const count = async (): Promise<number> =>
      (await database.query(`select from pg_stat_activity where application_name = 'pierhead-feed'`)).length;
    await until(async () => (await count()) === 1);
    return count();
  };
});

const round = (value: number): number => Number(value.toFixed(2));

async function until(holds: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 10_000;
  while (!(await holds()) && performance.now() < giveUpAt) await pause(10);
}
