import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { run, transaction } from '../../../src/adapters/out/postgres/connection/statement';
import { Unavailable } from '../../../src/domain/shared/errors';
import { openDatabaseAddress, type DatabaseAddress } from '../cluster/database-address';
import { describeOnOwnPostgres, OwnPostgres } from '../cluster/own-postgres';
import { PayingLoad } from '../cluster/paying-load';
import { figure, inThisForm, within } from '../harness/fault-run';

const loadMs = inThisForm({ short: 500, long: 10_000 });
/** How long the address leads to the standby before it is promoted. */
const readOnlyMs = inThisForm({ short: 500, long: 5000 });
const perSecond = inThisForm({ short: 40, long: 60 });
/** Two seconds for a connection, and six for the statement that hangs. */
const givesUpAfterMs = 8500;
const backWithinMs = 3000;

describeOnOwnPostgres('a Postgres with a synchronous standby', () => {
  let primary: OwnPostgres;
  let standby: OwnPostgres;
  let address: DatabaseAddress;
  let load: PayingLoad;
  beforeAll(async () => {
    primary = await OwnPostgres.create();
    standby = await primary.follow('second');
    address = await openDatabaseAddress(primary.port);
    load = await PayingLoad.over(address.url);
    await primary.set('synchronous_standby_names', 'second');
    await until(async () => (await primary.query(`select from pg_stat_replication where sync_state = 'sync'`)).length === 1);
  }, 60_000);
  afterAll(async () => {
    await load.close();
    await address.close();
    await Promise.all([primary.remove(), standby.remove()]);
  }, 30_000);

  it(
    'acknowledges nothing while a server is frozen, and serves as soon as it continues',
    async () => {
      const startedAt = performance.now();
      let [deadlineMs, backMs] = [0, 0];
      for (const still of inThisForm({ short: [standby], long: [standby, primary] })) {
        const ids = await Promise.all([1, 2, 3].map(() => load.create()));
        still.freeze();
        const stalled = await Promise.all(ids.map((id) => load.complete(id!)));
        still.thaw();
        const thawedAt = performance.now();
        const repeats = await Promise.all(ids.map((id) => load.complete(id!)));
        backMs = Math.max(backMs, performance.now() - thawedAt);
        deadlineMs = Math.max(deadlineMs, ...stalled.map(({ ms }) => ms));
        expect(stalled.map(({ status }) => status)).toEqual([503, 503, 503]);
        expect(repeats.map(({ status }) => status)).toEqual([200, 200, 200]);
      }
      figure('stall', { deadlineS: round(deadlineMs / 1000), backS: round(backMs / 1000), unclear: load.unclear().length }, startedAt);
      expect(load.unclear()).toEqual([]);
      expect(deadlineMs).toBeLessThan(givesUpAfterMs);
      expect(backMs).toBeLessThan(backWithinMs);
    },
    within(30_000),
  );

  it('does not take a commit for done if its wait for the standby was cancelled', async () => {
    const own = await createDataSource({ kind: 'postgres', url: primary.url, poolSize: 1 }).initialize();
    try {
      await own.query('create table waits (id int)');
      const insert = { name: 'test.wait', text: 'insert into waits values (1)' };
      standby.freeze();
      await expect(cancelled(own, () => run(own, insert, []))).rejects.toBeInstanceOf(Unavailable);
      await expect(cancelled(own, () => transaction(own, (manager) => manager.query(insert.text)))).rejects.toBeInstanceOf(Unavailable);
      standby.thaw();
      expect(await run(own, { name: 'test.waited', text: 'select count(*)::int as n from waits' }, [])).toEqual([{ n: 2 }]);
    } finally {
      standby.thaw();
      await own.destroy();
    }
  });

  /** Settles as a commit does whose wait somebody cancels: Postgres calls it done, though the standby has nothing of it. */
  const cancelled = async (db: DataSource, commit: () => Promise<unknown>): Promise<unknown> => {
    const [{ pid }] = await db.query('select pg_backend_pid() as pid');
    const cancel = async (): Promise<void> => {
      await until(
        async () => (await primary.query(`select from pg_stat_activity where wait_event = 'SyncRep' and pid = $1`, [pid])).length > 0,
      );
      await primary.query('select pg_cancel_backend($1)', [pid]);
    };
    const [ended] = await Promise.all([commit(), cancel()]);
    return ended;
  };

  it(
    'has every acknowledged completion after the primary dies and the standby takes over',
    async () => {
      const startedAt = performance.now();
      load.begin(perSecond);
      await pause(loadMs);
      await primary.die();
      const deadAt = performance.now();
      address.pointTo(standby.port);
      await pause(readOnlyMs);
      const early = load.answers.filter(({ at, ms, status }) => at - ms > deadAt && status === 200).length;
      await standby.query('select pg_promote()');
      const promotedAt = performance.now();
      const { at } = await load.okAfter(deadAt);
      await pause(loadMs);
      await load.end();
      const backS = round(Math.max(0, at - promotedAt) / 1000);
      const counts = {
        calls: load.answers.length,
        ...load.statuses(),
        unclear: load.unclear().length,
        ...(await load.tally(standby)),
        backS,
      };
      figure('failover', counts, startedAt);
      expect(load.unclear().slice(0, 3)).toEqual([]);
      expect(early).toBe(0);
      expect(counts).toMatchObject({ withoutRow: 0, lost: 0, invented: 0, altered: 0, stillPending: 0 });
      expect(at - promotedAt).toBeLessThanOrEqual(backWithinMs);
      expect(load.acknowledged.size).toBeGreaterThan(5);
    },
    within(60_000),
  );
});

const round = (value: number): number => Number(value.toFixed(2));

async function until(holds: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error('It did not happen within ten seconds');
    await pause(10);
  }
}
