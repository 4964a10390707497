import { setTimeout as pause } from 'node:timers/promises';
import { databaseKinds } from '../../support/postgres/database';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { inQueues } from '../harness/driver';
import { figure, inThisForm, within } from '../harness/fault-run';
import { PayingStage } from '../harness/paying-stage';
import { residentBytes } from '../harness/processes';
import { queueCompletions } from '../harness/queued-completions';

// The embedded database serves one process, and is for development.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

const queued = inThisForm({ short: 2000, long: 100_000 });
const live = inThisForm({ short: 200, long: 10_000 });
const pairedEvery = 10;
const callers = 32;

describeOnPostgres('a backlog', () => {
  let stage: PayingStage;
  beforeAll(async () => {
    stage = await PayingStage.open({ processes: 1, hostApp: new StubPayingHostApp() });
  }, 60_000);
  afterAll(async () => {
    expect(await stage.close()).toEqual([0]);
  });

  /** Waits for so many webhooks; the most memory that the service had meanwhile, in bytes. */
  const received = async (count: number): Promise<number> => {
    let peakMb = 0;
    while (stage.miniapp.store.length < count) {
      peakMb = Math.max(peakMb, residentBytes(stage.instances.by(0).pid));
      await pause(20);
    }
    return peakMb;
  };
  /** Completions a second that are taken from callers and delivered. */
  const liveRate = async (): Promise<number> => {
    const ids = await stage.created(live);
    const startedAt = performance.now();
    await inQueues(live, callers, (turn) => {
      const members = `"order_payment_id":"${ids[turn]!}","payment_status":"paid"`;
      return stage.call({ path: 'orders/complete-order', key: ids[turn]!, members, turn });
    });
    await received(live);
    return (1000 * live) / (performance.now() - startedAt);
  };

  it(
    'is delivered by one process at the usual rate, in little memory and in order',
    async () => {
      const startedAt = performance.now();
      const livePerSecond = await liveRate();
      await stage.instances.kill(0);
      const ids = await queueCompletions(stage.database, { pair: stage.pair, count: queued, pairedEvery });
      stage.miniapp.store.length = 0;
      await stage.instances.begin(0);
      const begunAt = performance.now();
      const peakMb = await received(queued);
      const perSecond = (1000 * queued) / (performance.now() - begunAt);
      while ((await stage.rows(`deliveries where state = 'ready'`)) > 0) await pause(20);

      const arrived = stage.miniapp.store.map(({ headers }) => String(headers['webhook-id']));
      const position = new Map(arrived.map((id, at) => [id, at]));
      const second = (n: number): boolean => n % (pairedEvery + 1) === 1;
      const outOfOrder = ids.filter((id, n) => second(n) && position.get(ids[n - 1]!)! > position.get(id)!).length;
      const missing = ids.filter((id) => !position.has(id)).length;
      const counts = {
        ...{ queued, missing, repeated: arrived.length - position.size, out_of_order: outOfOrder },
        ...{ per_second: Math.round(perSecond), live_per_second: Math.round(livePerSecond), max_mb: Math.round(peakMb / 1e6) },
      };
      figure('R32', counts, startedAt);
      expect(counts).toMatchObject({ missing: 0, repeated: 0, out_of_order: 0 });
      expect(peakMb).toBeLessThan(200e6);
      // A ratio means something on a machine that does nothing else: a short run prints it.
      expect(perSecond).toBeGreaterThanOrEqual(inThisForm({ short: 0.1, long: 0.5 }) * livePerSecond);
    },
    within(60_000),
  );
});
