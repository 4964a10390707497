import { DeliveryWorker } from '../../../src/adapters/in/worker/delivery-worker';
import { InProcessBell } from '../../../src/adapters/in/worker/in-process-bell';
import type { AttemptUnderWay, DeliverDueCommand, ReservedUnderWay } from '../../../src/domain/deliveries/deliver-due';
import type { AttemptReason } from '../../../src/domain/deliveries/delivery';
import { CollectingLog } from '../../support/collecting-log';
import { until } from '../../support/service';

/** A use case that has `due` deliveries, each ending when told. */
class Deliveries {
  due = 0;
  begun = 0;
  mostUnderWay = 0;
  reason: AttemptReason = 'schedule';
  /** Until the next is due, where nothing is. */
  rest = 5000;
  asked = 0;
  /** The lanes claimed from, round by round; `undefined`: all. */
  readonly rounds: (readonly string[] | undefined)[] = [];
  private readonly ends: (() => void)[] = [];
  /** Whether a lane may hold more than was begun. */
  more = true;

  readonly execute = async ({ limit, lanes }: DeliverDueCommand): Promise<readonly AttemptUnderWay[]> => {
    this.rounds.push(lanes);
    const taken = Math.min(limit, this.due);
    this.due -= taken;
    this.begun += taken;
    const attempts = Array.from({ length: taken }, () => {
      return { lane: 'lane_1', reason: this.reason, ...this.attempt() };
    });
    this.mostUnderWay = Math.max(this.mostUnderWay, this.ends.length);
    return attempts;
  };

  /** Whether the ends of attempts are written down later than their places come free. */
  leaveFirst = false;
  private readonly unwritten: (() => void)[] = [];

  async write(): Promise<void> {
    for (const end of this.unwritten.splice(0)) end();
    await settled();
  }

  /** Whether lanes have places free. */
  free = true;

  readonly reserve = (lane: string): ReservedUnderWay | undefined => {
    if (!this.free) return undefined;
    const { free, done } = this.attempt();
    const release = this.ends.pop()!;
    return { lane, leaseMs: 20_000, free, done, begin: () => this.ends.push(release), release };
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
    this.asked++;
    return this.due > 0 ? 0 : this.rest;
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
let told: number;
let steps: number;
beforeEach(async () => {
  [told, steps] = [0, 0];
  deliveries = new Deliveries();
  bell = new InProcessBell(() => (told++, undefined));
  const stepResends = { execute: async () => (steps++, undefined) };
  worker = new DeliveryWorker({ deliverDue: deliveries, stepResends, bell, log: new CollectingLog() });
  worker.start();
  await settled();
});
afterEach(async () => {
  const stopping = worker.stop();
  await deliveries.end(556);
  await stopping;
});

it('begins at once where the bell rings', async () => {
  deliveries.due = 1;
  bell.ring('lane_7');
  expect(deliveries.rounds).toEqual([['lane_7']]);
});

it('looks everywhere where the bell rings for no lane, and once for many rings', async () => {
  bell.ring('lane_1');
  bell.ring('lane_2');
  bell.ring('lane_2');
  await settled();
  expect(deliveries.rounds).toEqual([['lane_1'], ['lane_2']]);
  deliveries.due = 1;
  bell.ring();
  await settled();
  expect([deliveries.rounds.length, deliveries.rounds[2], steps]).toEqual([3, undefined, 1]);
});

it('asks for nothing but when the next is due, and claims nothing before', async () => {
  expect([deliveries.asked, deliveries.rounds.length, steps]).toEqual([1, 0, 0]);
  deliveries.rest = 30;
  bell.ring();
  await settled();
  expect([deliveries.asked, deliveries.rounds.length]).toEqual([2, 0]);
  deliveries.due = 1;
  await until(
    async () => deliveries.begun,
    (begun) => begun === 1,
  );
  expect(deliveries.asked).toBeGreaterThanOrEqual(3);
});

it('has 512 under way at most, and looks into the lane of each that ends', async () => {
  deliveries.due = 856;
  bell.ring();
  await settled();
  bell.ring();
  await settled();
  expect([deliveries.begun, deliveries.rounds.length]).toEqual([512, 1]);
  expect(deliveries.due).toBe(344);
  while (deliveries.due > 0) await deliveries.end(100);
  expect(deliveries.mostUnderWay).toBe(512);
  expect(deliveries.rounds).toContainEqual(['lane_1']);
});

it('does not look again into a lane that had no more', async () => {
  deliveries.due = 3;
  bell.ring('lane_1');
  await settled();
  deliveries.more = false;
  await deliveries.end(3);
  expect(deliveries.rounds).toEqual([['lane_1']]);
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
  deliveries.due = 516;
  bell.ring();
  await settled();
  let stopped = false;
  const stopping = worker.stop().then(() => (stopped = true));
  await settled();
  expect(stopped).toBe(false);
  await deliveries.end(556);
  await stopping;
  bell.ring();
  await settled();
  expect([deliveries.begun, deliveries.due]).toEqual([512, 4]);
  expect(told).toBe(1);
});

it('looks again though a round failed, and says where it failed', async () => {
  const log = new CollectingLog();
  const failing = new InProcessBell();
  const fail = () => Promise.reject(new Error('secret'));
  const away = new DeliveryWorker({
    deliverDue: { execute: fail, restMs: fail, reserve: () => undefined },
    stepResends: { execute: fail },
    bell: failing,
    log,
  });
  away.start();
  await settled();
  for (let i = 0; i < 2; i++) {
    failing.ring();
    await settled();
  }
  expect(log.of('delivery.round-failed')).toHaveLength(3);
  expect(JSON.stringify(log.lines)).not.toContain('secret');
  await away.stop();
});

describe('slots for what this process commits itself', () => {
  it('are held, and looked into again once they come free', async () => {
    const place = worker.reserve('lane_7')!;
    place.release();
    await settled();
    expect(deliveries.rounds).toEqual([['lane_7']]);
  });

  it('are none before it starts, where the lane has none, and once it stops', async () => {
    const idle = new DeliveryWorker({
      deliverDue: deliveries,
      stepResends: { execute: async () => undefined },
      bell,
      log: new CollectingLog(),
    });
    expect(idle.reserve('lane_7')).toBeUndefined();
    deliveries.free = false;
    expect(worker.reserve('lane_7')).toBeUndefined();
    deliveries.free = true;
    const stopping = worker.stop();
    expect(worker.reserve('lane_7')).toBeUndefined();
    await stopping;
  });

  it('are waited for by a stop, until what they are held for has ended', async () => {
    const place = worker.reserve('lane_7')!;
    let stopped = false;
    const stopping = worker.stop().then(() => (stopped = true));
    await settled();
    place.begin(undefined as never);
    await settled();
    expect(stopped).toBe(false);
    await deliveries.end(1);
    await stopping;
    expect(stopped).toBe(true);
  });

  it('leave room for what a look that is under way may claim', async () => {
    const held = Array.from({ length: 496 }, (_, n) => worker.reserve(`lane_${String(n)}`)!);
    deliveries.due = 16;
    bell.ring('lane_a');
    expect(worker.reserve('lane_b')).toBeUndefined();
    await settled();
    expect(deliveries.mostUnderWay).toBe(16);
    expect(worker.reserve('lane_b')).toBeUndefined();
    held[0]!.release();
    await settled();
    const one = worker.reserve('lane_b');
    expect(one).toBeDefined();
    for (const place of [...held.slice(1), one!]) place.release();
  });

  it('come free before what was done there is written down, but count as under way until it is', async () => {
    const held = Array.from({ length: 512 }, (_, n) => worker.reserve(`lane_${String(n)}`)!);
    deliveries.due = 1;
    deliveries.leaveFirst = true;
    held[0]!.begin(undefined as never);
    await deliveries.end(1);
    // Its lane may hold more, which cannot begin yet.
    expect(deliveries.rounds).toEqual([]);
    await deliveries.write();
    expect(deliveries.rounds).toEqual([['lane_0']]);
    deliveries.leaveFirst = false;
    for (const place of held.slice(1)) place.release();
  });

  it('are 512 at most, with what was claimed', async () => {
    deliveries.due = 506;
    bell.ring();
    await settled();
    const held = Array.from({ length: 7 }, (_, n) => worker.reserve(`lane_${String(n)}`));
    expect(held.map((place) => place !== undefined)).toEqual([true, true, true, true, true, true, false]);
    for (const place of held) place?.release();
  });
});
