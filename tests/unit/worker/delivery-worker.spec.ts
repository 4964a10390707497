import { DeliveryWorker } from '../../../src/adapters/in/worker/delivery-worker';
import { InProcessDeliveryNotifier } from '../../../src/adapters/in/worker/in-process-delivery-notifier';
import type { RunningAttempt, DeliverDueCommand, RunningReservation } from '../../../src/domain/deliveries/deliver-due';
import type { AttemptReason } from '../../../src/domain/deliveries/delivery';
import { CollectingLog } from '../../support/collecting-log';
import { until } from '../../support/service/service';

/** A use case that has `due` deliveries, each ending when told. */
class Deliveries {
  due = 0;
  begun = 0;
  maxInFlight = 0;
  reason: AttemptReason = 'schedule';
  /** Until the next is due, where nothing is. */
  rest = 5000;
  executions = 0;
  /** The queues claimed from, round by round; `undefined`: all. */
  readonly rounds: (readonly string[] | undefined)[] = [];
  private readonly ends: (() => void)[] = [];
  /** Whether a queue may hold more than was begun. */
  more = true;

  readonly execute = async ({ limit, queues }: DeliverDueCommand): Promise<readonly RunningAttempt[]> => {
    this.rounds.push(queues);
    const taken = Math.min(limit, this.due);
    this.due -= taken;
    this.begun += taken;
    const attempts = Array.from({ length: taken }, () => {
      return { queue: 'queue_1', reason: this.reason, ...this.attempt() };
    });
    this.maxInFlight = Math.max(this.maxInFlight, this.ends.length);
    return attempts;
  };

  /** Whether the ends of attempts are written down later than their slots come free. */
  leaveFirst = false;
  private readonly unwritten: (() => void)[] = [];

  async write(): Promise<void> {
    for (const end of this.unwritten.splice(0)) end();
    await settled();
  }

  /** Whether queues have free slots. */
  free = true;

  readonly reserve = (queue: string): RunningReservation | undefined => {
    if (!this.free) return undefined;
    const { free, done } = this.attempt();
    const release = this.ends.pop()!;
    return { queue, leaseMs: 20_000, free, done, begin: () => this.ends.push(release), release };
  };

  private attempt() {
    let [leave, end]: (() => void)[] = [];
    const free = new Promise<boolean>((resolve) => (leave = () => resolve(this.more)));
    const done = new Promise<void>((resolve) => (end = resolve));
    this.ends.push(() => {
      leave?.();
      if (this.leaveFirst) this.unwritten.push(() => end?.());
      else end?.();
    });
    return { free, done };
  }

  readonly restMs = async (): Promise<number> => {
    this.executions++;
    return this.due > 0 ? 0 : this.rest;
  };

  async end(count: number): Promise<void> {
    for (const end of this.ends.splice(0, count)) end();
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

let deliveries: Deliveries;
let notifier: InProcessDeliveryNotifier;
let worker: DeliveryWorker;
let notified: number;
let steps: number;
beforeEach(async () => {
  [notified, steps] = [0, 0];
  deliveries = new Deliveries();
  notifier = new InProcessDeliveryNotifier(() => (notified++, undefined));
  const stepResends = { execute: async () => (steps++, undefined) };
  worker = new DeliveryWorker({ deliverDue: deliveries, stepResends, notifier, log: new CollectingLog() });
  worker.start();
  await settled();
});
afterEach(async () => {
  const stopping = worker.stop();
  await deliveries.end(556);
  await stopping;
});

it('begins at once where the notifier is called', async () => {
  deliveries.due = 1;
  notifier.notify('queue_7');
  expect(deliveries.rounds).toEqual([['queue_7']]);
});

it('claims once for all queues if the notifier names none', async () => {
  notifier.notify('queue_1');
  notifier.notify('queue_2');
  notifier.notify('queue_2');
  await settled();
  expect(deliveries.rounds).toEqual([['queue_1'], ['queue_2']]);
  deliveries.due = 1;
  notifier.notify();
  await settled();
  expect([deliveries.rounds.length, deliveries.rounds[2], steps]).toEqual([3, undefined, 1]);
});

it('asks for nothing but when the next is due, and claims nothing before', async () => {
  expect([deliveries.executions, deliveries.rounds.length, steps]).toEqual([1, 0, 0]);
  deliveries.rest = 30;
  notifier.notify();
  await settled();
  expect([deliveries.executions, deliveries.rounds.length]).toEqual([2, 0]);
  deliveries.due = 1;
  await until(
    async () => deliveries.begun,
    (begun) => begun === 1,
  );
  expect(deliveries.executions).toBeGreaterThanOrEqual(3);
});

it('has 512 in flight at most, and claims from the queue of each that ends', async () => {
  deliveries.due = 856;
  notifier.notify();
  await settled();
  notifier.notify();
  await settled();
  expect([deliveries.begun, deliveries.rounds.length]).toEqual([512, 1]);
  expect(deliveries.due).toBe(344);
  while (deliveries.due > 0) await deliveries.end(100);
  expect(deliveries.maxInFlight).toBe(512);
  expect(deliveries.rounds).toContainEqual(['queue_1']);
});

it('does not look again into a queue that had no more', async () => {
  deliveries.due = 3;
  notifier.notify('queue_1');
  await settled();
  deliveries.more = false;
  await deliveries.end(3);
  expect(deliveries.rounds).toEqual([['queue_1']]);
});

it('lets one that hangs hold up no other', async () => {
  deliveries.due = 1;
  notifier.notify();
  await settled();
  deliveries.due = 1;
  notifier.notify();
  await settled();
  expect(deliveries.begun).toBe(2);
});

it('stops when all attempts in flight have ended, and begins no more', async () => {
  deliveries.due = 516;
  notifier.notify();
  await settled();
  let stopped = false;
  const stopping = worker.stop().then(() => (stopped = true));
  await settled();
  expect(stopped).toBe(false);
  await deliveries.end(556);
  await stopping;
  notifier.notify();
  await settled();
  expect([deliveries.begun, deliveries.due]).toEqual([512, 4]);
  expect(notified).toBe(1);
});

it('claims again after a failed round, and logs where it failed', async () => {
  const log = new CollectingLog();
  const failing = new InProcessDeliveryNotifier();
  const fail = () => Promise.reject(new Error('secret'));
  const away = new DeliveryWorker({
    deliverDue: { execute: fail, restMs: fail, reserve: () => undefined },
    stepResends: { execute: fail },
    notifier: failing,
    log,
  });
  away.start();
  await settled();
  for (let i = 0; i < 2; i++) {
    failing.notify();
    await settled();
  }
  expect(log.of('delivery.round-failed')).toHaveLength(3);
  expect(JSON.stringify(log.lines)).not.toContain('secret');
  await away.stop();
});

describe('slots for what this process commits itself', () => {
  it('are held, and looked into again once they come free', async () => {
    const slot = worker.reserve('queue_7')!;
    slot.release();
    await settled();
    expect(deliveries.rounds).toEqual([['queue_7']]);
  });

  it('are not available before it starts, if the queue has none, or once it stops', async () => {
    const idle = new DeliveryWorker({
      deliverDue: deliveries,
      stepResends: { execute: async () => undefined },
      notifier,
      log: new CollectingLog(),
    });
    expect(idle.reserve('queue_7')).toBeUndefined();
    deliveries.free = false;
    expect(worker.reserve('queue_7')).toBeUndefined();
    deliveries.free = true;
    const stopping = worker.stop();
    expect(worker.reserve('queue_7')).toBeUndefined();
    await stopping;
  });

  it('are awaited by a stop until their work has ended', async () => {
    const slot = worker.reserve('queue_7')!;
    let stopped = false;
    const stopping = worker.stop().then(() => (stopped = true));
    await settled();
    slot.begin(undefined as never);
    await settled();
    expect(stopped).toBe(false);
    await deliveries.end(1);
    await stopping;
    expect(stopped).toBe(true);
  });

  it('leave room for a claim that is in flight', async () => {
    const held = Array.from({ length: 496 }, (_, n) => worker.reserve(`queue_${String(n)}`)!);
    deliveries.due = 16;
    notifier.notify('queue_a');
    expect(worker.reserve('queue_b')).toBeUndefined();
    await settled();
    expect(deliveries.maxInFlight).toBe(16);
    expect(worker.reserve('queue_b')).toBeUndefined();
    held[0]!.release();
    await settled();
    const one = worker.reserve('queue_b');
    expect(one).toBeDefined();
    for (const slot of [...held.slice(1), one!]) slot.release();
  });

  it('are free before the result is stored, but count as in flight until it is', async () => {
    const held = Array.from({ length: 512 }, (_, n) => worker.reserve(`queue_${String(n)}`)!);
    deliveries.due = 1;
    deliveries.leaveFirst = true;
    held[0]!.begin(undefined as never);
    await deliveries.end(1);
    // Its queue may hold more, which cannot begin yet.
    expect(deliveries.rounds).toEqual([]);
    await deliveries.write();
    expect(deliveries.rounds).toEqual([['queue_0']]);
    deliveries.leaveFirst = false;
    for (const slot of held.slice(1)) slot.release();
  });

  it('are 512 at most, including claimed deliveries', async () => {
    deliveries.due = 506;
    notifier.notify();
    await settled();
    const held = Array.from({ length: 7 }, (_, n) => worker.reserve(`queue_${String(n)}`));
    expect(held.map((slot) => slot !== undefined)).toEqual([true, true, true, true, true, true, false]);
    for (const slot of held) slot?.release();
  });
});
