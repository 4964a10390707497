import { DeliveryWorker } from '../../../src/adapters/in/worker/delivery-worker';
import { InProcessBell } from '../../../src/adapters/in/worker/in-process-bell';
import { CollectingLog } from '../../support/collecting-log';

/** A use case that has `due` deliveries, each ending when told. */
class Deliveries {
  due = 0;
  mostUnderWay = 0;
  begun = 0;
  rounds = 0;
  private readonly ends: (() => void)[] = [];

  readonly execute = async ({ limit }: { limit: number }): Promise<readonly Promise<void>[]> => {
    this.rounds++;
    const taken = Math.min(limit, this.due);
    this.due -= taken;
    this.begun += taken;
    const attempts = Array.from({ length: taken }, () => new Promise<void>((resolve) => this.ends.push(resolve)));
    this.mostUnderWay = Math.max(this.mostUnderWay, this.ends.length);
    return attempts;
  };

  async end(count: number): Promise<void> {
    for (const end of this.ends.splice(0, count)) end();
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

let deliveries: Deliveries;
let bell: InProcessBell;
let worker: DeliveryWorker;
beforeEach(() => {
  deliveries = new Deliveries();
  bell = new InProcessBell();
  worker = new DeliveryWorker({ deliverDue: deliveries, bell, log: new CollectingLog() });
  worker.start();
});
afterEach(async () => {
  const stopping = worker.stop();
  await deliveries.end(100);
  await stopping;
});

it('begins at once when the bell rings', async () => {
  deliveries.due = 1;
  bell.ring();
  expect(deliveries.rounds).toBe(1);
});

it('has sixteen under way at most, and takes the next as soon as a place is free', async () => {
  deliveries.due = 40;
  bell.ring();
  await settled();
  expect(deliveries.begun).toBe(16);
  bell.ring();
  await settled();
  expect(deliveries.begun).toBe(16);
  for (const left of [39, 30, 20, 10, 0]) {
    await deliveries.end(100);
    expect(deliveries.due).toBeLessThanOrEqual(left);
  }
  expect([deliveries.begun, deliveries.mostUnderWay]).toEqual([40, 16]);
});

it('lets one that hangs hold up no other', async () => {
  deliveries.due = 1;
  bell.ring();
  await settled();
  deliveries.due = 1;
  bell.ring();
  await settled();
  expect(deliveries.begun).toBe(2);
});

it('stops when what is under way has ended, and begins nothing more', async () => {
  deliveries.due = 20;
  bell.ring();
  await settled();
  let stopped = false;
  const stopping = worker.stop().then(() => (stopped = true));
  await settled();
  expect(stopped).toBe(false);
  await deliveries.end(100);
  await stopping;
  bell.ring();
  await settled();
  expect([deliveries.begun, deliveries.due]).toEqual([16, 4]);
});

it('looks again though a round failed, and says where it failed', async () => {
  const log = new CollectingLog();
  const failing = new InProcessBell();
  const away = new DeliveryWorker({ deliverDue: { execute: () => Promise.reject(new Error('secret')) }, bell: failing, log });
  away.start();
  for (let i = 0; i < 2; i++) {
    failing.ring();
    await settled();
  }
  expect(log.of('delivery.round-failed')).toHaveLength(2);
  expect(JSON.stringify(log.lines)).not.toContain('secret');
  await away.stop();
});
