import { databaseKinds } from '../../support/postgres/database';
import { until } from '../../support/service/service';
import { startServiceProcess } from '../../support/service/service-process';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { atRate, type Operation } from '../harness/driver';
import { figure, inThisForm, within } from '../harness/fault-run';
import { PayingStage } from '../harness/paying-stage';
import { childrenOf, isAlive } from '../harness/processes';

/** Each that follows closely is replaced twice as late as the one before. */
const kills = inThisForm({ short: 2, long: 5 });
const perSecond = 100;

// The embedded database serves one process.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('serving processes that share a port', () => {
  let stage: PayingStage;
  beforeAll(async () => {
    stage = await PayingStage.open({ processes: 1, hostApp: new StubPayingHostApp(), env: { WORKERS: '2' } });
  });
  afterAll(async () => {
    expect(await stage.close()).toEqual([0]);
  });

  const primary = (): number => stage.instances.by(0).pid;
  /** The processes, once there are two and each listens: the last that a start does. */
  const serving = (): Promise<number[]> => {
    const { listening } = stage.instances.by(0);
    return until(
      () => Promise.resolve(childrenOf(primary())),
      (pids) => pids.length === 2 && pids.every((pid) => listening.has(pid)),
    );
  };
  const complete = (turn: number, key: string): Promise<Operation> =>
    stage.call({ path: 'orders/complete-order', key, members: `"order_payment_id":"${key}","payment_status":"paid"`, turn });

  it(
    'replace one that is killed, and lose no acknowledged call',
    async () => {
      const startedAt = performance.now();
      const payments = await stage.created(kills * perSecond);
      let killing = true;
      const went: Operation[] = [];
      const pace = { perSecond, volley: 1, atOnce: 300, goesOn: () => killing };
      const load = atRate(pace, async (n) => went.push(await complete(n, payments[n % payments.length]!)));
      let replacedMs = 0;
      try {
        for (let kill = 0; kill < kills; kill++) {
          const victim = (await serving())[0];
          if (victim === undefined) throw new Error('Nobody serves');
          const killedAt = performance.now();
          const [answeredBy, goesOnAfter] = [went.length, 20];
          process.kill(victim, 'SIGKILL');
          await until(
            () => Promise.resolve(went.length - answeredBy),
            (more) => more >= goesOnAfter,
          );
          await until(serving, (pids) => !pids.includes(victim));
          replacedMs = Math.max(replacedMs, performance.now() - killedAt);
        }
      } finally {
        killing = false;
        await load;
      }
      const acknowledged = went.filter(({ outcome }) => outcome === 'ok');
      const rows = await stage.rows(`order_payments where status = 'paid'`);
      // A payment is completed again where the load outlasts the payments.
      const settled = new Set(acknowledged.map(({ key }) => key)).size;
      const counts = {
        ...{ kills, acknowledged: acknowledged.length, lost: Math.max(0, settled - rows) },
        ...{ cut_off: went.length - acknowledged.length, longest_replacement_ms: Math.round(replacedMs) },
      };
      figure('workers', counts, startedAt);
      expect(counts.lost).toBe(0);
      // Calls in the killed process, and no more.
      expect(counts.cut_off).toBeLessThanOrEqual(kills * 32);
      expect(went.filter(({ outcome }) => outcome === 'refused')).toEqual([]);
    },
    within(60_000),
  );

  it('a second signal ends all at once', async () => {
    const { url } = stage.database.target as { url: string };
    const service = await startServiceProcess({ DATABASE_URL: url, WORKERS: '2', MIGRATE: 'off', STOP_DELAY_MS: '60000' });
    const workers = childrenOf(service.pid);
    expect(workers).toHaveLength(2);
    // Beside the two of the stage: who has got so far hears signals.
    const feeds = () => stage.rows(`pg_stat_activity where datname = current_database() and application_name = 'pierhead-feed'`);
    await until(feeds, (count) => count === 4);
    const ended = service.end('SIGTERM');
    await until(
      // A kept connection may be let go under the question.
      () =>
        fetch(`${service.url}/health/ready`).then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 503,
    );
    await until(
      () =>
        fetch(`${service.url}/health/live`).then(
          ({ headers }) => headers.get('connection'),
          () => 'reset',
        ),
      (received) => received === 'close',
    );
    process.kill(service.pid, 'SIGTERM');
    expect(await ended).toBe(1);
    await until(
      () => Promise.resolve(workers.filter(isAlive)),
      (alive) => alive.length === 0,
    );
  });

  it('a start that cannot be is one failure, not many', async () => {
    const { url } = stage.database.target as { url: string };
    const taken = new URL(stage.instances.by(0).url).port;
    await expect(startServiceProcess({ DATABASE_URL: url, WORKERS: '2', MIGRATE: 'off', PORT: taken })).rejects.toThrow('ended with 1');
  });

  it('replace one that was stopped by itself, after it has ended in order', async () => {
    const before = await serving();
    process.kill(before[0]!, 'SIGTERM');
    await until(serving, (pids) => !pids.includes(before[0]!));
    expect((await fetch(`${stage.instances.by(0).url}/health/ready`)).status).toBe(200);
  });
});
