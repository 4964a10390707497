import { MemoryDeliveries } from '../../../src/adapters/out/memory/memory-deliveries';
import { MemoryPartnerDirectory } from '../../../src/adapters/out/memory/memory-partner-directory';
import { MemoryRegistry } from '../../../src/adapters/out/memory/memory-registry';
import { DeliverDue } from '../../../src/domain/deliveries/deliver-due';
import { laneOfCompletion, laneRules } from '../../../src/domain/deliveries/lane';
import { owedForMs } from '../../../src/domain/deliveries/schedule';
import { EndpointNotSet, PartnerUnreachable } from '../../../src/domain/partners/partner-errors';
import type { HostAppSettings } from '../../../src/domain/partners/host-app';
import type { IntegrationSettings } from '../../../src/domain/partners/integration';
import type { OwedCompletion } from '../../../src/domain/payments/order-payment';
import { refusal, Unavailable } from '../../../src/domain/shared/errors';
import { FakeDeliveryGateway } from '../../fakes/fake-delivery-gateway';
import { CollectingLog } from '../../support/collecting-log';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { anOwedCompletion, anOwedEvent, claimOf } from '../../support/owed';
import { aHostApp, aMiniapp, anIntegration } from '../../support/partners';

const webhookLeg = { side: 'miniapp', step: 'webhook' } as const;

/** Deliveries in memory, receivers with set answers, and time that moves when told. */
class Desk {
  readonly clock = new ManualClock();
  readonly registry = new MemoryRegistry();
  readonly completions: OwedCompletion[] = [];
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
    bell: {
      ring: () => {
        this.rings++;
      },
    },
    clock: this.clock,
    chance: { roll: () => this.chance },
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
    const agreement = { id: 'int_1', clientId, appId, version: 1, settings: { ...integration.settings, ...settings } };
    this.registry.agreements.set(`${clientId}/${appId}`, agreement);
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

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});

it('delivers what is due, with the whole of what is owed, within the time of an attempt', async () => {
  const owed = anOwedCompletion();
  desk.completions.push(owed);
  desk.clock.advance(40);
  expect(await desk.round()).toBe(1);
  const at = desk.clock.now();
  expect(desk.gateway.sent).toMatchObject([
    {
      at,
      deadline: at + 15_000,
      integration: { id: 'int_1' },
      delivery: { id: 'pay_1', owed: { kind: 'completion', completion: owed.completion } },
    },
  ]);
  expect(await desk.record()).toMatchObject({ state: 'delivered', attemptCount: 1, attempts: [{ at, ms: 0, status: 200 }] });
  desk.clock.advance(owedForMs);
  expect(await desk.round()).toBe(0);
});

it('takes any 2xx for receipt, and only notes a code in it', async () => {
  for (const [i, status] of [200, 202, 204, 299].entries()) {
    desk.completions.push(anOwedCompletion(`pay_${i}`));
    desk.gateway.answer({ status, errorCode: 'PROCESS_FAIL', retryAfterS: 60 });
    await desk.round();
    expect(await desk.record(`pay_${i}`)).toMatchObject({ state: 'delivered', attempts: [{ status, errorCode: 'PROCESS_FAIL' }] });
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
  desk.completions.push(anOwedCompletion());
  desk.gateway.answer(answer);
  await desk.round();
  expect(await desk.record()).toMatchObject({ state: 'ready', dueAt: desk.clock.now() + 5000, attempts: [attempt] });
});

it.each([
  [new PartnerUnreachable(webhookLeg, 'timeout'), { errorCode: 'UNEXPECTED_RESPONSE_ERROR', cause: 'timeout' }],
  [new EndpointNotSet(webhookLeg, 'webhook_url'), { errorCode: 'ENDPOINT_URL_NOT_SET' }],
  [refusal('invalid', 'MISSING_REQUEST_SIGNATURE_SETTINGS'), { errorCode: 'MISSING_REQUEST_SIGNATURE_SETTINGS' }],
])('tries again where nothing was answered: %s', async (error, attempt) => {
  desk.completions.push(anOwedCompletion());
  desk.gateway.fail(error);
  await desk.round();
  expect(await desk.record()).toMatchObject({ state: 'ready', attemptCount: 1, attempts: [attempt] });
});

it('leaves the receiver alone for as long as it asks', async () => {
  desk.completions.push(anOwedCompletion());
  desk.gateway.answer({ status: 503, retryAfterS: 90 });
  await desk.round();
  expect((await desk.record()).dueAt).toBe(desk.clock.now() + 90_000);
});

it.each([0, 0.5, 1])('keeps to the published schedule for seven days and then gives up, seen by all: chance %d', async (chance) => {
  desk.chance = chance;
  desk.completions.push(anOwedCompletion());
  desk.gateway.answer({ status: 500 });
  const begun = desk.clock.now();
  while ((await desk.record()).state === 'ready') {
    desk.clock.advance((await desk.record()).dueAt! - desk.clock.now());
    await desk.round();
  }
  const { state, attempts, endedAt } = await desk.record();
  expect(state).toBe('failed');
  expect(endedAt! - begun).toBeLessThanOrEqual(owedForMs);
  const stretch = 0.8 + 0.4 * chance;
  const waits = attempts.slice(1).map(({ at }, i) => at - attempts[i]!.at);
  const published = [5, 30, 120, 600, 1800, 7200, 18_000, ...Array.from({ length: waits.length - 7 }, () => 36_000)];
  expect(waits).toEqual(published.map((s) => Math.round(s * 1000 * stretch)));
  expect(attempts.length).toBeGreaterThanOrEqual(20);
  expect(desk.log.of('delivery.given-up')).toEqual([expect.objectContaining({ delivery_id: 'pay_1', cause: 'http-500' })]);
  desk.clock.advance(owedForMs);
  expect(await desk.round()).toBe(0);
});

it('delivers at the first attempt that is answered', async () => {
  desk.completions.push(anOwedCompletion());
  desk.gateway.answer({ status: 500 });
  await desk.round();
  desk.gateway.answer({ status: 200 });
  desk.clock.advance(4999);
  expect(await desk.round()).toBe(0);
  desk.clock.advance(1);
  expect(await desk.round()).toBe(1);
  expect((await desk.record()).state).toBe('delivered');
});

describe('switched off', () => {
  const off = { sso: true, payments: false, events: true };

  it.each([
    ['the feature at the host app', () => desk.agree({}, { features: off }), 'FEATURE_DISABLED_IN_HOSTAPP'],
    ['the feature in the integration', () => desk.agree({ features: off }), 'FEATURE_DISABLED_IN_INTEGRATION'],
    ['the integration', () => desk.agree({ status: 'suspended' }), 'NO_INTEGRATION'],
    ['the integration, for good', () => desk.registry.agreements.clear(), 'NO_INTEGRATION'],
    ['the miniapp, for good', () => desk.registry.miniapps.clear(), 'NO_INTEGRATION'],
  ])('parks, without an attempt: %s', async (_what, switchOff, code) => {
    desk.completions.push(anOwedCompletion());
    switchOff();
    await desk.round();
    expect(desk.gateway.sent).toEqual([]);
    expect(await desk.record()).toMatchObject({ state: 'parked', parkedBy: code, attemptCount: 0, dueAt: desk.clock.now() + 60_000 });
  });

  it('is delivered when it is on again, though seven days are over', async () => {
    desk.completions.push(anOwedCompletion());
    desk.agree({ features: off });
    const until = desk.clock.now() + owedForMs + 1;
    while (desk.clock.now() < until) {
      desk.clock.advance(3_600_000);
      await desk.round();
    }
    expect(await desk.record()).toMatchObject({ state: 'parked', attemptCount: 0 });
    desk.agree();
    desk.clock.advance(3_600_000);
    await desk.round();
    expect(await desk.record()).toMatchObject({ state: 'delivered', parkedBy: undefined });
  });

  it('asks for the feature of what is owed', async () => {
    await desk.deliveries.owe(anOwedEvent());
    desk.agree({ features: off });
    await desk.round();
    expect((await desk.record('ev_1')).state).toBe('delivered');
  });
});

it('rings for what waits behind an event, and not for a completion', async () => {
  await desk.deliveries.owe(anOwedEvent('ev_1', { orderingKey: 'k' }));
  await desk.deliveries.owe(anOwedEvent('ev_2', { orderingKey: 'k' }));
  await desk.round();
  expect([desk.gateway.sent.length, desk.rings]).toEqual([1, 1]);
  await desk.round();
  expect(desk.gateway.sent.map(({ delivery }) => delivery.id)).toEqual(['ev_1', 'ev_2']);
  desk.completions.push(anOwedCompletion());
  await desk.round();
  expect(desk.rings).toBe(2);
});

it('begins no more attempts than it may', async () => {
  desk.completions.push(...Array.from({ length: 5 }, (_, i) => anOwedCompletion(`pay_${i}`)));
  expect([await desk.round(2), await desk.round(2), await desk.round(2), await desk.round(2)]).toEqual([2, 2, 1, 0]);
});

it('owes it again when the claim has run out, where the database is away', async () => {
  desk.completions.push(anOwedCompletion());
  desk.gateway.fail(new Unavailable('database-away'));
  await desk.round();
  expect(await desk.record()).toMatchObject({ state: 'ready', attemptCount: 0 });
  expect(desk.log.of('delivery.fault')).toEqual([expect.objectContaining({ delivery_id: 'pay_1' })]);
  desk.gateway.answer({ status: 200 });
  desk.clock.advance(19_999);
  expect(await desk.round()).toBe(0);
  desk.clock.advance(1);
  expect(await desk.round()).toBe(1);
});

it('keeps to the schedule after a fault of our own, and says where it was, not what', async () => {
  desk.completions.push(anOwedCompletion());
  desk.gateway.fail(new TypeError('quotes a body'));
  await desk.round();
  expect(await desk.record()).toMatchObject({ state: 'ready', attempts: [{ errorCode: 'UNKNOWN_ERROR' }], dueAt: desk.clock.now() + 5000 });
  expect(desk.log.of('delivery.fault')).toEqual([expect.objectContaining({ delivery_id: 'pay_1', exception: 'TypeError' })]);
  expect(JSON.stringify(desk.log.lines)).not.toContain('quotes');
});

it('says so where the claim was lost under an attempt, and changes nothing', async () => {
  desk.completions.push(anOwedCompletion());
  desk.gateway.behave(async () => {
    desk.clock.advance(60_000);
    const [claimed] = await desk.deliveries.claimDue(claimOf(1));
    await desk.deliveries.retry(claimed!, { reason: 'schedule', at: 1, ms: 1, status: 500 }, { dueInMs: 5000 });
    return { status: 200 };
  });
  await desk.round();
  expect(await desk.record()).toMatchObject({ state: 'ready', attempts: [{ at: 1, status: 500 }] });
  expect(desk.log.of('delivery.claim-lost')).toEqual([{ delivery_id: 'pay_1' }]);
});

describe('a slot that is reserved for what is about to be owed', () => {
  const lane = laneOfCompletion(anOwedCompletion().completion);
  const made = () => {
    const { id, integrationId, completion } = anOwedCompletion();
    return { id, integrationId, owed: { kind: 'completion', completion }, ageMs: 0, tries: 0 } as const;
  };

  it('begins the attempt without a claim of its own, and ends it as any other', async () => {
    const owed = anOwedCompletion();
    desk.completions.push(owed);
    const [claimed] = await desk.deliveries.claimDue(claimOf());
    const place = desk.deliverDue.reserve(claimed!.lane)!;
    place.begin(claimed!);
    expect(await place.free).toBe(false);
    await place.done;
    expect((await desk.record(owed.id)).state).toBe('delivered');
    expect(desk.gateway.sent).toHaveLength(1);
  });

  it('is one of sixteen of its lane, whoever took the others', () => {
    const held = Array.from({ length: 16 }, () => desk.deliverDue.reserve(lane));
    expect(held.every((place) => place !== undefined)).toBe(true);
    expect(desk.deliverDue.reserve(lane)).toBeUndefined();
    expect(desk.deliverDue.reserve('miniapp:app_2:completion')).toBeDefined();
    held[3]!.release();
    expect(desk.deliverDue.reserve(lane)).toBeDefined();
    expect(desk.deliverDue.reserve(lane)).toBeUndefined();
  });

  it('stays taken by an attempt that has begun, though its owner releases it', async () => {
    const [first] = Array.from({ length: 16 }, () => desk.deliverDue.reserve(lane)!);
    first!.begin({ ...made(), lane, lease: 'of nobody', reason: 'schedule' });
    first!.release();
    expect(desk.deliverDue.reserve(lane)).toBeUndefined();
    await first!.done;
    expect(desk.deliverDue.reserve(lane)).toBeDefined();
  });

  it('counts where others are claimed, and says when it comes free that there may be more', async () => {
    const places = Array.from({ length: 15 }, () => desk.deliverDue.reserve(lane)!);
    desk.completions.push(anOwedCompletion('pay_1'), anOwedCompletion('pay_2'));
    const begun = await desk.deliverDue.execute({ limit: 16, lanes: [lane] });
    expect(begun).toHaveLength(1);
    places[0]!.release();
    expect(await places[0]!.free).toBe(true);
    await Promise.all(begun.map(({ done }) => done));
  });

  it('is none in a lane into which a claim looks, which may take all that are free', async () => {
    const claims: (() => void)[] = [];
    Object.assign(desk.deliveries, { claimDue: () => new Promise((resolve) => claims.push(() => resolve([]))) });
    const look = async (lanes?: readonly string[]) => {
      const looking = desk.deliverDue.execute({ limit: 16, ...(lanes && { lanes }) });
      while (claims.length === 0) await Promise.resolve();
      const held = [lane, 'miniapp:app_2:completion'].map((one) => desk.deliverDue.reserve(one));
      claims.pop()!();
      await looking;
      for (const place of held) place?.release();
      return held.map((place) => place !== undefined);
    };
    expect(await look([lane])).toEqual([false, true]);
    expect(await look()).toEqual([false, false]);
    expect(desk.deliverDue.reserve(lane)).toBeDefined();
    Object.assign(desk.deliveries, { claimDue: () => Promise.reject(new Unavailable('database-away')) });
    await expect(desk.deliverDue.execute({ limit: 16, lanes: [lane] })).rejects.toThrow();
    expect(desk.deliverDue.reserve(lane)).toBeDefined();
  });

  it('is free once the endpoint has answered, though the end is not written down yet; after a failure once that is', async () => {
    const places = Array.from({ length: 16 }, () => desk.deliverDue.reserve(lane)!);
    const [received, failed] = places;
    const written: (() => void)[] = [];
    const later = (result: boolean) => () => new Promise<boolean>((resolve) => written.push(() => resolve(result)));
    Object.assign(desk.deliveries, { delivered: later(true), retry: later(true) });
    desk.gateway.behave(() => (desk.clock.advance(laneRules.answersWithinMs + 1), { status: 200 }));
    received!.begin({ ...made(), lane, lease: 'l', reason: 'schedule' });
    await received!.free;
    expect(desk.deliverDue.reserve(lane)).toBeDefined();
    desk.gateway.fail(new PartnerUnreachable(webhookLeg, 'timeout'));
    failed!.begin({ ...made(), lane, lease: 'l', reason: 'schedule' });
    while (written.length < 2) await Promise.resolve();
    expect(desk.deliverDue.reserve(lane)).toBeUndefined();
    for (const write of written) write();
    await failed!.free;
    expect(desk.deliverDue.reserve(lane)).toBeDefined();
  });

  it('is one of more where the endpoint received quickly, and of sixteen again after a failure', async () => {
    const [quick, failed] = [desk.deliverDue.reserve(lane)!, desk.deliverDue.reserve(lane)!];
    Object.assign(desk.deliveries, { delivered: async () => true, retry: async () => true });
    quick.begin({ ...made(), lane, lease: 'l', reason: 'schedule' });
    await quick.done;
    const held = Array.from({ length: laneRules.quickPlaces - 1 }, () => desk.deliverDue.reserve(lane));
    expect(held.every((place) => place !== undefined)).toBe(true);
    expect(desk.deliverDue.reserve(lane)).toBeUndefined();
    for (const place of held) place?.release();
    desk.gateway.fail(new PartnerUnreachable(webhookLeg, 'timeout'));
    const kept = desk.deliverDue.reserve(lane);
    failed.begin({ ...made(), lane, lease: 'l', reason: 'schedule' });
    await failed.done;
    expect(kept).toBeDefined();
    expect(Array.from({ length: laneRules.places }, () => desk.deliverDue.reserve(lane)).filter(Boolean)).toHaveLength(
      laneRules.places - 1,
    );
  });

  it('tells a claim that was lost meanwhile', async () => {
    const place = desk.deliverDue.reserve(lane)!;
    place.begin({ ...made(), lane, lease: 'of nobody', reason: 'schedule' });
    await place.done;
    expect(desk.log.of('delivery.claim-lost')).toEqual([{ delivery_id: 'pay_1' }]);
  });
});
