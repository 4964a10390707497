import { MemoryDeliveries } from '../../../src/adapters/out/memory/deliveries/memory-deliveries';
import { MemoryPartnerDirectory } from '../../../src/adapters/out/memory/partners/memory-partner-directory';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { DeliverDue } from '../../../src/domain/deliveries/deliver-due';
import { queueOfCompletion, endpointQueueRules } from '../../../src/domain/deliveries/endpoint-queue';
import { deliveryLastsMs } from '../../../src/domain/deliveries/schedule';
import { EndpointNotSet, PartnerUnreachable } from '../../../src/domain/partners/partner-errors';
import type { HostAppSettings } from '../../../src/domain/partners/host-app';
import type { IntegrationSettings } from '../../../src/domain/partners/integrations/integration';
import type { PendingCompletion } from '../../../src/domain/payments/order-payment';
import { refusal, Unavailable } from '../../../src/domain/shared/errors';
import { FakeDeliveryGateway } from '../../fakes/fake-delivery-gateway';
import { CollectingLog } from '../../support/collecting-log';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { aPendingCompletion, anOutboxEvent, claimOf } from '../../support/outbox-events';
import { aHostApp, aMiniapp, anIntegration } from '../../support/partners/partners';

const webhookLeg = { side: 'miniapp', step: 'webhook' } as const;

/** Deliveries in memory, receivers with set answers, and time that moves when told. */
class Fixture {
  readonly clock = new ManualClock();
  readonly registry = new MemoryRegistry();
  readonly completions: PendingCompletion[] = [];
  readonly gateway = new FakeDeliveryGateway();
  readonly log = new CollectingLog();
  readonly deliveries = new MemoryDeliveries({
    clock: this.clock,
    ids: new CountingIds(),
    registry: this.registry,
    completions: this.completions,
  });
  rings = 0;
  readonly pauses: number[] = [];
  chance = 0.5;
  readonly deliverDue = new DeliverDue({
    queue: this.deliveries,
    directory: new MemoryPartnerDirectory(this.registry),
    gateway: this.gateway,
    notifier: {
      notify: () => {
        this.rings++;
      },
    },
    clock: this.clock,
    chance: { next: () => this.chance },
    pause: async (ms) => void this.pauses.push(ms),
    log: this.log,
    timeoutMs: 15_000,
  });

  constructor() {
    this.agree();
  }

  agree(settings: Partial<IntegrationSettings> = {}, hostApp: Partial<HostAppSettings> = {}): void {
    const integration = anIntegration({ hostApp: aHostApp(hostApp) });
    const [clientId, appId] = [integration.hostApp.id, integration.miniapp.id];
    this.registry.hostApps.set(clientId, integration.hostApp);
    this.registry.miniapps.set(appId, aMiniapp());
    const integrationRecord = { id: 'int_1', clientId, appId, version: 1, settings: { ...integration.settings, ...settings } };
    this.registry.integrations.set(`${clientId}/${appId}`, integrationRecord);
  }

  async round(limit = 16): Promise<number> {
    const begun = await this.deliverDue.execute({ limit });
    await Promise.all(begun.map(({ done }) => done));
    return begun.length;
  }

  async record(id = 'pay_1') {
    return (await this.deliveries.find(id))!;
  }
}

let fixture: Fixture;
beforeEach(() => {
  fixture = new Fixture();
});

it('delivers the whole content of a due delivery within the time of an attempt', async () => {
  const pending = aPendingCompletion();
  fixture.completions.push(pending);
  fixture.clock.advance(40);
  expect(await fixture.round()).toBe(1);
  const at = fixture.clock.now();
  expect(fixture.gateway.sent).toMatchObject([
    {
      at,
      deadline: at + 15_000,
      integration: { id: 'int_1' },
      delivery: { id: 'pay_1', content: { kind: 'completion', completion: pending.completion } },
    },
  ]);
  expect(await fixture.record()).toMatchObject({ state: 'delivered', attemptCount: 1, attempts: [{ at, ms: 0, status: 200 }] });
  fixture.clock.advance(deliveryLastsMs);
  expect(await fixture.round()).toBe(0);
});

it('counts any 2xx as received, and only records an error code in it', async () => {
  for (const [i, status] of [200, 202, 204, 299].entries()) {
    fixture.completions.push(aPendingCompletion(`pay_${i}`));
    fixture.gateway.answer({ status, errorCode: 'PROCESS_FAIL', retryAfterS: 60 });
    await fixture.round();
    expect(await fixture.record(`pay_${i}`)).toMatchObject({ state: 'delivered', attempts: [{ status, errorCode: 'PROCESS_FAIL' }] });
  }
});

it.each([
  [{ status: 500 }, { status: 500, errorCode: 'UNEXPECTED_RESPONSE_ERROR', cause: 'http-500' }],
  [{ status: 302 }, { status: 302, errorCode: 'UNEXPECTED_RESPONSE_ERROR', cause: 'http-302' }],
  [
    { status: 404, errorCode: 'NOPE' },
    { status: 404, errorCode: 'NOPE', cause: 'http-404' },
  ],
])('tries again after %j', async (answer, attempt) => {
  fixture.completions.push(aPendingCompletion());
  fixture.gateway.answer(answer);
  await fixture.round();
  expect(await fixture.record()).toMatchObject({ state: 'ready', dueAt: fixture.clock.now() + 5000, attempts: [attempt] });
});

it.each([
  [new PartnerUnreachable(webhookLeg, 'timeout'), { errorCode: 'UNEXPECTED_RESPONSE_ERROR', cause: 'timeout' }],
  [new EndpointNotSet(webhookLeg, 'webhook_url'), { errorCode: 'ENDPOINT_URL_NOT_SET' }],
  [refusal('invalid', 'MISSING_REQUEST_SIGNATURE_SETTINGS'), { errorCode: 'MISSING_REQUEST_SIGNATURE_SETTINGS' }],
])('tries again where nothing was answered: %s', async (error, attempt) => {
  fixture.completions.push(aPendingCompletion());
  fixture.gateway.fail(error);
  await fixture.round();
  expect(await fixture.record()).toMatchObject({ state: 'ready', attemptCount: 1, attempts: [attempt] });
});

it('leaves the receiver alone for as long as it asks', async () => {
  fixture.completions.push(aPendingCompletion());
  fixture.gateway.answer({ status: 503, retryAfterS: 90 });
  await fixture.round();
  expect((await fixture.record()).dueAt).toBe(fixture.clock.now() + 90_000);
});

it.each([0, 0.5, 1])('keeps to the published schedule for seven days and then gives up: chance %d', async (chance) => {
  fixture.chance = chance;
  fixture.completions.push(aPendingCompletion());
  fixture.gateway.answer({ status: 500 });
  const begun = fixture.clock.now();
  while ((await fixture.record()).state === 'ready') {
    fixture.clock.advance((await fixture.record()).dueAt! - fixture.clock.now());
    await fixture.round();
  }
  const { state, attempts, endedAt } = await fixture.record();
  expect(state).toBe('failed');
  expect(endedAt! - begun).toBeLessThanOrEqual(deliveryLastsMs);
  const stretch = 0.8 + 0.4 * chance;
  const waits = attempts.slice(1).map(({ at }, i) => at - attempts[i]!.at);
  const published = [5, 30, 120, 600, 1800, 7200, 18_000, ...Array.from({ length: waits.length - 7 }, () => 36_000)];
  expect(waits).toEqual(published.map((s) => Math.round(s * 1000 * stretch)));
  expect(attempts.length).toBeGreaterThanOrEqual(20);
  expect(fixture.log.of('delivery.given-up')).toEqual([expect.objectContaining({ delivery_id: 'pay_1', cause: 'http-500' })]);
  fixture.clock.advance(deliveryLastsMs);
  expect(await fixture.round()).toBe(0);
});

it('delivers at the first attempt that is answered', async () => {
  fixture.completions.push(aPendingCompletion());
  fixture.gateway.answer({ status: 500 });
  await fixture.round();
  fixture.gateway.answer({ status: 200 });
  fixture.clock.advance(4999);
  expect(await fixture.round()).toBe(0);
  fixture.clock.advance(1);
  expect(await fixture.round()).toBe(1);
  expect((await fixture.record()).state).toBe('delivered');
});

describe('switched off', () => {
  const off = { sso: true, payments: false, events: true };

  it.each([
    ['the feature at the host app', () => fixture.agree({}, { features: off }), 'FEATURE_DISABLED_IN_HOSTAPP'],
    ['the feature in the integration', () => fixture.agree({ features: off }), 'FEATURE_DISABLED_IN_INTEGRATION'],
    ['the integration', () => fixture.agree({ status: 'suspended' }), 'NO_INTEGRATION'],
    ['the integration, for good', () => fixture.registry.integrations.clear(), 'NO_INTEGRATION'],
    ['the miniapp, for good', () => fixture.registry.miniapps.clear(), 'NO_INTEGRATION'],
  ])('parks, without an attempt: %s', async (_what, switchOff, code) => {
    fixture.completions.push(aPendingCompletion());
    switchOff();
    await fixture.round();
    expect(fixture.gateway.sent).toEqual([]);
    expect(await fixture.record()).toMatchObject({ state: 'parked', parkedBy: code, attemptCount: 0, dueAt: fixture.clock.now() + 60_000 });
  });

  it('is delivered when it is on again, though seven days are over', async () => {
    fixture.completions.push(aPendingCompletion());
    fixture.agree({ features: off });
    const until = fixture.clock.now() + deliveryLastsMs + 1;
    while (fixture.clock.now() < until) {
      fixture.clock.advance(3_600_000);
      await fixture.round();
    }
    expect(await fixture.record()).toMatchObject({ state: 'parked', attemptCount: 0 });
    fixture.agree();
    fixture.clock.advance(3_600_000);
    await fixture.round();
    expect(await fixture.record()).toMatchObject({ state: 'delivered', parkedBy: undefined });
  });

  it('checks the feature of the pending delivery', async () => {
    await fixture.deliveries.add(anOutboxEvent());
    fixture.agree({ features: off });
    await fixture.round();
    expect((await fixture.record('ev_1')).state).toBe('delivered');
  });
});

it('notifies after an event with an ordering key, but not after a completion', async () => {
  await fixture.deliveries.add(anOutboxEvent('ev_1', { orderingKey: 'k' }));
  await fixture.deliveries.add(anOutboxEvent('ev_2', { orderingKey: 'k' }));
  await fixture.round();
  expect([fixture.gateway.sent.length, fixture.rings]).toEqual([1, 1]);
  await fixture.round();
  expect(fixture.gateway.sent.map(({ delivery }) => delivery.id)).toEqual(['ev_1', 'ev_2']);
  fixture.completions.push(aPendingCompletion());
  await fixture.round();
  expect(fixture.rings).toBe(2);
});

it('begins no more attempts than it may', async () => {
  fixture.completions.push(...Array.from({ length: 5 }, (_, i) => aPendingCompletion(`pay_${i}`)));
  expect([await fixture.round(2), await fixture.round(2), await fixture.round(2), await fixture.round(2)]).toEqual([2, 2, 1, 0]);
});

it('delivers again after the claim has expired if the database is away', async () => {
  fixture.completions.push(aPendingCompletion());
  fixture.gateway.fail(new Unavailable('database-away'));
  await fixture.round();
  expect(await fixture.record()).toMatchObject({ state: 'ready', attemptCount: 0 });
  expect(fixture.log.of('delivery.fault')).toEqual([expect.objectContaining({ delivery_id: 'pay_1' })]);
  fixture.gateway.answer({ status: 200 });
  fixture.clock.advance(19_999);
  expect(await fixture.round()).toBe(0);
  fixture.clock.advance(1);
  expect(await fixture.round()).toBe(1);
});

it('keeps to the schedule after an internal fault', async () => {
  fixture.completions.push(aPendingCompletion());
  fixture.gateway.fail(new TypeError('quotes a body'));
  await fixture.round();
  expect(await fixture.record()).toMatchObject({
    state: 'ready',
    attempts: [{ errorCode: 'UNKNOWN_ERROR' }],
    dueAt: fixture.clock.now() + 5000,
  });
  expect(fixture.log.of('delivery.fault')).toEqual([expect.objectContaining({ delivery_id: 'pay_1', exception: 'TypeError' })]);
  expect(JSON.stringify(fixture.log.lines)).not.toContain('quotes');
});

it('logs that the claim was lost during an attempt, and changes nothing', async () => {
  fixture.completions.push(aPendingCompletion());
  fixture.gateway.behave(async () => {
    fixture.clock.advance(60_000);
    const [claimed] = await fixture.deliveries.claimDue(claimOf(1));
    await fixture.deliveries.retry(claimed!, { reason: 'schedule', at: 1, ms: 1, status: 500 }, { dueInMs: 5000 });
    return { status: 200 };
  });
  await fixture.round();
  expect(await fixture.record()).toMatchObject({ state: 'ready', attempts: [{ at: 1, status: 500 }] });
  expect(fixture.log.of('delivery.claim-lost')).toEqual([{ delivery_id: 'pay_1' }]);
});

describe('a reserved slot', () => {
  const queue = queueOfCompletion(aPendingCompletion().completion);
  const made = () => {
    const { id, integrationId, completion } = aPendingCompletion();
    return { id, integrationId, content: { kind: 'completion', completion }, ageMs: 0, tries: 0 } as const;
  };

  it('begins the attempt without a claim of its own, and ends it as any other', async () => {
    const pending = aPendingCompletion();
    fixture.completions.push(pending);
    const [claimed] = await fixture.deliveries.claimDue(claimOf());
    const slot = fixture.deliverDue.reserve(claimed!.queue)!;
    slot.begin(claimed!);
    expect(await slot.free).toBe(false);
    await slot.done;
    expect((await fixture.record(pending.id)).state).toBe('delivered');
    expect(fixture.gateway.sent).toHaveLength(1);
  });

  it('is one of sixteen of its queue', () => {
    const held = Array.from({ length: 16 }, () => fixture.deliverDue.reserve(queue));
    expect(held.every((slot) => slot !== undefined)).toBe(true);
    expect(fixture.deliverDue.reserve(queue)).toBeUndefined();
    expect(fixture.deliverDue.reserve('miniapp:app_2:completion')).toBeDefined();
    held[3]!.release();
    expect(fixture.deliverDue.reserve(queue)).toBeDefined();
    expect(fixture.deliverDue.reserve(queue)).toBeUndefined();
  });

  it('stays taken by an attempt that has begun, though its owner releases it', async () => {
    const [first] = Array.from({ length: 16 }, () => fixture.deliverDue.reserve(queue)!);
    first!.begin({ ...made(), queue, lease: 'of nobody', reason: 'schedule' });
    first!.release();
    expect(fixture.deliverDue.reserve(queue)).toBeUndefined();
    await first!.done;
    expect(fixture.deliverDue.reserve(queue)).toBeDefined();
  });

  it('counts against the limit of a claim', async () => {
    const slots = Array.from({ length: 15 }, () => fixture.deliverDue.reserve(queue)!);
    fixture.completions.push(aPendingCompletion('pay_1'), aPendingCompletion('pay_2'));
    const begun = await fixture.deliverDue.execute({ limit: 16, queues: [queue] });
    expect(begun).toHaveLength(1);
    slots[0]!.release();
    expect(await slots[0]!.free).toBe(true);
    await Promise.all(begun.map(({ done }) => done));
  });

  it('is not available while a claim may take all free slots of the queue', async () => {
    const claims: (() => void)[] = [];
    Object.assign(fixture.deliveries, { claimDue: () => new Promise((resolve) => claims.push(() => resolve([]))) });
    const claim = async (queues?: readonly string[]) => {
      const claiming = fixture.deliverDue.execute({ limit: 16, ...(queues && { queues }) });
      while (claims.length === 0) await Promise.resolve();
      const held = [queue, 'miniapp:app_2:completion'].map((one) => fixture.deliverDue.reserve(one));
      claims.pop()!();
      await claiming;
      for (const slot of held) slot?.release();
      return held.map((slot) => slot !== undefined);
    };
    expect(await claim([queue])).toEqual([false, true]);
    expect(await claim()).toEqual([false, false]);
    expect(fixture.deliverDue.reserve(queue)).toBeDefined();
    Object.assign(fixture.deliveries, { claimDue: () => Promise.reject(new Unavailable('database-away')) });
    await expect(fixture.deliverDue.execute({ limit: 16, queues: [queue] })).rejects.toThrow();
    expect(fixture.deliverDue.reserve(queue)).toBeDefined();
  });

  it('is free as soon as the endpoint has received, but after a failure only when that is stored', async () => {
    const slots = Array.from({ length: 16 }, () => fixture.deliverDue.reserve(queue)!);
    const [received, failed] = slots;
    const written: (() => void)[] = [];
    const later = (result: boolean) => () => new Promise<boolean>((resolve) => written.push(() => resolve(result)));
    Object.assign(fixture.deliveries, { delivered: later(true), retry: later(true) });
    fixture.gateway.behave(() => (fixture.clock.advance(endpointQueueRules.answersWithinMs + 1), { status: 200 }));
    received!.begin({ ...made(), queue, lease: 'l', reason: 'schedule' });
    await received!.free;
    expect(fixture.deliverDue.reserve(queue)).toBeDefined();
    fixture.gateway.fail(new PartnerUnreachable(webhookLeg, 'timeout'));
    failed!.begin({ ...made(), queue, lease: 'l', reason: 'schedule' });
    while (written.length < 2) await Promise.resolve();
    expect(fixture.deliverDue.reserve(queue)).toBeUndefined();
    for (const write of written) write();
    await failed!.free;
    expect(fixture.deliverDue.reserve(queue)).toBeDefined();
  });

  it('is one of more after a quick receipt, and of sixteen after a failure', async () => {
    const [quick, failed] = [fixture.deliverDue.reserve(queue)!, fixture.deliverDue.reserve(queue)!];
    Object.assign(fixture.deliveries, { delivered: async () => true, retry: async () => true });
    quick.begin({ ...made(), queue, lease: 'l', reason: 'schedule' });
    await quick.done;
    const held = Array.from({ length: endpointQueueRules.quickSlots - 1 }, () => fixture.deliverDue.reserve(queue));
    expect(held.every((slot) => slot !== undefined)).toBe(true);
    expect(fixture.deliverDue.reserve(queue)).toBeUndefined();
    for (const slot of held) slot?.release();
    fixture.gateway.fail(new PartnerUnreachable(webhookLeg, 'timeout'));
    const kept = fixture.deliverDue.reserve(queue);
    failed.begin({ ...made(), queue, lease: 'l', reason: 'schedule' });
    await failed.done;
    expect(kept).toBeDefined();
    expect(Array.from({ length: endpointQueueRules.slots }, () => fixture.deliverDue.reserve(queue)).filter(Boolean)).toHaveLength(
      endpointQueueRules.slots - 1,
    );
  });

  it('tells a claim that was lost meanwhile', async () => {
    const slot = fixture.deliverDue.reserve(queue)!;
    slot.begin({ ...made(), queue, lease: 'of nobody', reason: 'schedule' });
    await slot.done;
    expect(fixture.log.of('delivery.claim-lost')).toEqual([{ delivery_id: 'pay_1' }]);
  });
});
