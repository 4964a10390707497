import { ReconciliationWorker } from '../../../src/adapters/in/worker/reconciliation-worker';
import { CollectingLog } from '../../support/collecting-log';
import { until } from '../../support/service';

/** A use case that has `due` asks, each ending when told. */
class Asks {
  due = 0;
  failing = false;
  readonly lookedAt: number[] = [];
  readonly ends: (() => void)[] = [];

  readonly execute = async ({ limit }: { readonly limit: number }): Promise<readonly Promise<void>[]> => {
    this.lookedAt.push(performance.now());
    if (this.failing) throw new Error('away');
    const taken = Math.min(limit, this.due);
    this.due -= taken;
    return Array.from({ length: taken }, () => new Promise<void>((resolve) => this.ends.push(resolve)));
  };
}

let asks: Asks;
let log: CollectingLog;
let worker: ReconciliationWorker;
beforeEach(() => {
  asks = new Asks();
  log = new CollectingLog();
  worker = new ReconciliationWorker({ reconcilePayments: asks, log });
});
const looks = (count: number) =>
  until(
    async () => asks.lookedAt,
    (all) => all.length >= count,
  );

it('has 512 under way at most, looks again with the next turn while there is more, and ends what it began when it stops', async () => {
  asks.due = 600;
  worker.start();
  const [first, second] = await looks(1);
  expect([asks.ends.length, second]).toEqual([512, undefined]);
  for (const end of asks.ends.splice(0)) end();
  const [, again] = await looks(2);
  expect(again! - first!).toBeGreaterThanOrEqual(49);
  expect(asks.ends).toHaveLength(88);
  let stopped = false;
  const stopping = worker.stop().then(() => (stopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  for (const end of asks.ends) end();
  await stopping;
  expect(asks.lookedAt).toHaveLength(2);
});

it('goes on after a round that failed, and says so', async () => {
  asks.failing = true;
  worker.start();
  await looks(1);
  asks.failing = false;
  await looks(2);
  await worker.stop();
  expect(log.of('reconcile.round-failed')).toMatchObject([{ exception: 'Error' }]);
});
