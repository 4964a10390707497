import { ReconciliationWorker } from '../../../src/adapters/in/worker/reconciliation-worker';
import { CollectingLog } from '../../support/collecting-log';
import { until } from '../../support/service/service';

/** A use case that has `due` asks, each ending when told. */
class ControlledPolls {
  due = 0;
  failing = false;
  readonly polledAt: number[] = [];
  readonly ends: (() => void)[] = [];

  readonly execute = async ({ limit }: { readonly limit: number }): Promise<readonly Promise<void>[]> => {
    this.polledAt.push(performance.now());
    if (this.failing) throw new Error('away');
    const taken = Math.min(limit, this.due);
    this.due -= taken;
    return Array.from({ length: taken }, () => new Promise<void>((resolve) => this.ends.push(resolve)));
  };
}

let polls: ControlledPolls;
let log: CollectingLog;
let worker: ReconciliationWorker;
beforeEach(() => {
  polls = new ControlledPolls();
  log = new CollectingLog();
  worker = new ReconciliationWorker({ reconcilePayments: polls, log });
});
const rounds = (count: number) =>
  until(
    async () => polls.polledAt,
    (all) => all.length >= count,
  );

it('has 512 polls in flight at most', async () => {
  polls.due = 600;
  worker.start();
  const [first, second] = await rounds(1);
  expect([polls.ends.length, second]).toEqual([512, undefined]);
  for (const end of polls.ends.splice(0)) end();
  const [, again] = await rounds(2);
  expect(again! - first!).toBeGreaterThanOrEqual(49);
  expect(polls.ends).toHaveLength(88);
  let stopped = false;
  const stopping = worker.stop().then(() => (stopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  for (const end of polls.ends) end();
  await stopping;
  expect(polls.polledAt).toHaveLength(2);
});

it('goes on after a round that failed, and says so', async () => {
  polls.failing = true;
  worker.start();
  await rounds(1);
  polls.failing = false;
  await rounds(2);
  await worker.stop();
  expect(log.of('reconcile.round-failed')).toMatchObject([{ exception: 'Error' }]);
});
