import { endpointQueueRules } from '../../../src/domain/deliveries/endpoint-queue';
import type { EndpointTrouble } from '../../../src/domain/deliveries/circuit';
import { EndpointSlots, type AttemptSlot } from '../../../src/domain/deliveries/endpoint-slots';
import { ManualClock } from '../../support/manual-clock';

const { slots: usual, quickSlots, answersWithinMs, slotsOfAll, unprovenSlots, firstWindow } = endpointQueueRules;
const queue = 'miniapp:app_1:completion';
const halfOpen: EndpointTrouble = { forMs: 20_000, circuit: 'half-open', isFailing: false };

/** Takes slots of a queue until none can be held; at most `max`. */
function hold(slots: EndpointSlots, max = 1000, of = queue): AttemptSlot[] {
  const held: AttemptSlot[] = [];
  while (held.length < max && slots.canBeReserved(of)) held.push(slots.enter(of));
  return held;
}

/** What a claim may take, and how many can be held while it is in flight. */
async function whileClaiming(queues?: readonly string[]): Promise<{ claimable: number; held: number }> {
  return slots.claiming(queues, async (capacity) => ({ claimable: capacity.of(queue).slots, held: hold(slots).length }));
}
const capacityOf = (of = queue) => slots.claiming(['another'], async (capacity) => capacity.of(of));

let clock: ManualClock;
let slots: EndpointSlots;
beforeEach(() => {
  clock = new ManualClock();
  slots = new EndpointSlots(clock);
});

function receive(slot: AttemptSlot, ms = 1): ReturnType<AttemptSlot['received']> {
  const news = slot.received(ms);
  slot.leave();
  return news;
}

function fail(slot: AttemptSlot, retryAfterS?: number): number {
  const opensAfter = slot.endpointFailed(retryAfterS);
  slot.leave();
  return opensAfter;
}

/** Its last receipt was quick, and one attempt is in flight. */
function quickQueue(): void {
  const first = slots.enter(queue);
  slots.enter(queue);
  receive(first, answersWithinMs);
}

it('has sixteen slots for a queue that is unknown or whose last receipt was slow', () => {
  expect(hold(slots)).toHaveLength(usual);
  expect(slots.withoutFreeSlot()).toEqual([queue]);
  slots = new EndpointSlots(clock);
  quickQueue();
  receive(slots.enter(queue), answersWithinMs + 1);
  expect(hold(slots)).toHaveLength(usual - 1);
});

it('has more slots for a queue whose last receipt was quick', () => {
  quickQueue();
  slots.enter(queue).leave();
  expect(hold(slots)).toHaveLength(quickSlots - 1);
  expect(slots.withoutFreeSlot()).toEqual([queue]);
});

it('has sixteen slots for a quick queue once half of all slots of the process are taken', () => {
  quickQueue();
  const others = Array.from({ length: slotsOfAll / 2 / usual }, (_, i) => hold(slots, usual, `other_${String(i)}`));
  expect(others.flat()).toHaveLength(slotsOfAll / 2);
  expect(hold(slots)).toHaveLength(usual - 1);
  for (const slot of others.flat().slice(0, 2 * usual)) slot.leave();
  expect(hold(slots, 1)).toHaveLength(1);
});

it('gives a claim all free slots of a usual queue, and half of those of a quick one', async () => {
  hold(slots, 3);
  expect(await whileClaiming([queue])).toEqual({ claimable: usual - 3, held: 0 });
  expect(await whileClaiming()).toEqual({ claimable: usual - 3, held: 0 });
  expect(await whileClaiming(['another'])).toEqual({ claimable: usual - 3, held: usual - 3 });
  slots = new EndpointSlots(clock);
  quickQueue();
  expect(await whileClaiming([queue])).toEqual({ claimable: quickSlots / 2, held: quickSlots / 2 - 1 });
  expect((await capacityOf()).slots).toBe(quickSlots / 4);
});

it('keeps eight slots for claims if more deliveries wait than could be claimed', async () => {
  const claimed = Array.from({ length: 4 }, () => queue);
  hold(slots, usual - 4);
  await slots.claiming([queue], async (capacity) => {
    capacity.of(queue);
    slots.noteFull({ queues: [queue], capacity, claimed, limit: 64 });
  });
  const [first] = claimed.map((one) => slots.enter(one));
  receive(first!);
  expect(await first!.free).toBe(true);
  expect(hold(slots)).toHaveLength(quickSlots - (usual - 1) - 8);
  await slots.claiming([queue], async (capacity) => slots.noteFull({ queues: [queue], capacity, claimed: [], limit: 64 }));
  expect(hold(slots)).toHaveLength(8);
});

it('still knows that a queue was quick when nothing of it is in flight', () => {
  const slot = slots.enter(queue);
  receive(slot, 0);
  slot.leave();
  expect(slots.withoutFreeSlot()).toEqual([]);
  expect(hold(slots)).toHaveLength(quickSlots);
});

describe('endpoints that hang', () => {
  it('never take the slots that are reserved for endpoints that answer', () => {
    receive(slots.enter('well'));
    for (let i = 0; i < 40; i++) hold(slots, usual, `hanging_${String(i)}`);
    clock.advance(answersWithinMs);
    // One each to unknown ones.
    expect(hold(slots, 1000, 'hanging_0')).toHaveLength(0);
    expect(hold(slots, 1000, 'hanging_39').length).toBeLessThanOrEqual(usual);
    expect(hold(slots, 1000, 'well')).toHaveLength(usual);
    expect(slots.withoutFreeSlot()).toContain('hanging_39');
  });

  it('no longer count as answering once an attempt has been in flight for a second', async () => {
    const [slow, quick] = [slots.enter(queue), slots.enter(queue)];
    receive(quick);
    expect(await capacityOf()).toMatchObject({ isProven: true, isUnknown: false });
    clock.advance(answersWithinMs);
    expect(await capacityOf()).toMatchObject({ isProven: false, isUnknown: false });
    receive(slow, answersWithinMs);
    expect(await capacityOf()).toMatchObject({ isProven: true });
    expect(await capacityOf('another')).toMatchObject({ isProven: false, isUnknown: true });
  });

  it('leave so many to claims together', async () => {
    for (let i = 0; i < 4; i++) hold(slots, usual, `hanging_${String(i)}`);
    clock.advance(answersWithinMs);
    expect(await slots.claiming(undefined, async ({ unproven }) => unproven)).toBe(unprovenSlots - 4 * usual);
  });
});

describe('a half-open circuit', () => {
  const enter = () => slots.enter(queue, { trouble: halfOpen });

  it('begins with two attempts at once, and has one more with each receipt', async () => {
    const held = [enter(), enter()];
    expect([(await capacityOf()).window, slots.canBeReserved(queue)]).toEqual([0, false]);
    for (const slot of held) receive(slot);
    expect((await capacityOf()).window).toBe(2 * firstWindow);
  });

  it('halves its window once for failures of attempts that were in flight together', async () => {
    for (let i = 0; i < 18; i++) receive(enter());
    const together = [enter(), enter(), enter()];
    clock.advance(10);
    for (const slot of together) fail(slot);
    expect((await capacityOf()).window).toBe(10);
    for (let i = 0; i < 49; i++) receive(enter());
    expect((await capacityOf()).window).toBe(10);
    for (let i = 0; i < 4; i++) receive(enter());
    expect((await capacityOf()).window).toBe(11);
  });

  it('is closed when the endpoint has taken as many as any may have', () => {
    const news = Array.from({ length: quickSlots - firstWindow }, () => receive(enter()));
    expect(news.slice(0, -1).every((one) => one === undefined)).toBe(true);
    expect(news.at(-1)).toBe('keeps-up');
    expect(hold(slots)).toHaveLength(quickSlots);
  });

  it('starts again after it was open, and stays below the rate that made it fail', async () => {
    for (let i = 0; i < 6; i++) receive(enter());
    fail(enter());
    expect((await capacityOf()).window).toBe(4);
    clock.advance(5000);
    expect((await capacityOf()).window).toBe(4);
    const first = enter();
    expect((await capacityOf()).window).toBe(firstWindow - 1);
    receive(first);
    receive(enter());
    receive(enter());
    expect((await capacityOf()).window).toBe(4);
  });

  it('opens at once if the endpoint sends Retry-After', () => {
    receive(enter());
    expect(fail(enter(), 30)).toBe(1);
  });
});

describe('the state of an endpoint', () => {
  const failing = (more: Partial<EndpointTrouble> = {}): EndpointTrouble => ({
    forMs: 60_000,
    circuit: 'closed',
    isFailing: false,
    ...more,
  });
  const enter = (trouble?: EndpointTrouble) => slots.enter(queue, { trouble });

  it('does not open its circuit if it received something within a second', () => {
    expect(fail(enter())).toBe(endpointQueueRules.opensAfter);
    receive(enter());
    expect(fail(enter())).toBeGreaterThan(1_000_000);
    clock.advance(answersWithinMs);
    expect(fail(enter())).toBe(endpointQueueRules.opensAfter);
  });

  it('changes when a probe is received or when the endpoint answers after failures', () => {
    expect(receive(enter(failing({ circuit: 'open', isFailing: true })))).toBe('recovers');
    expect(receive(enter())).toBeUndefined();
    expect(receive(enter(failing({ forMs: 10, isFailing: true })))).toBe('answers');
    fail(enter());
    expect(receive(enter())).toBe('answers');
    expect(receive(enter())).toBeUndefined();
  });

  /** So many attempts in a second; a share of them is received. */
  const second = (received: number, of = 100): (string | undefined)[] => {
    const news = Array.from({ length: of }, (_, i) => {
      const slot = enter(failing());
      if (((i * 7) % of) / of < received) return receive(slot);
      return void fail(slot);
    });
    clock.advance(1000);
    return news;
  };

  it('changes once to recovering, when over 90 % were received for ten seconds', () => {
    for (let i = 0; i < 12; i++) expect(second(0.5)).not.toContain('recovers');
    for (let i = 0; i < 8; i++) expect(second(1)).not.toContain('recovers');
    const well = [...second(1), ...second(1), ...second(1)];
    expect(well.filter((one) => one === 'recovers')).toHaveLength(1);
    for (let i = 0; i < 12; i++) expect(second(0.95)).not.toContain('recovers');
  });

  it('starts a half-open circuit with the current rate of the endpoint', async () => {
    for (let i = 0; i < 3; i++) second(1);
    const slot = enter(halfOpen);
    expect((await capacityOf()).window).toBe((2 * 100 * endpointQueueRules.heldForMs) / 1000 - 1);
    slot.leave();
  });
});
