import { laneRules } from '../../../src/domain/deliveries/lane';
import type { LaneTrouble } from '../../../src/domain/deliveries/circuit';
import { LanePlaces, type Place } from '../../../src/domain/deliveries/lane-places';
import { ManualClock } from '../../support/manual-clock';

const { places: usual, quickPlaces, answersWithinMs, placesOfAll, unprovenPlaces, firstWindow } = laneRules;
const lane = 'miniapp:app_1:completion';
const halfOpen: LaneTrouble = { forMs: 20_000, circuit: 'half-open', isFailing: false };

/** Takes places of a lane until none can be held; at most `most`. */
function hold(places: LanePlaces, most = 1000, of = lane): Place[] {
  const held: Place[] = [];
  while (held.length < most && places.canBeReserved(of)) held.push(places.enter(of));
  return held;
}

/** What a claim may take, and how many can be held while it is under way. */
async function whileLooking(lanes?: readonly string[]): Promise<{ claimable: number; held: number }> {
  return places.looking(lanes, async (room) => ({ claimable: room.of(lane).places, held: hold(places).length }));
}
const roomIn = (of = lane) => places.looking(['another'], async (room) => room.of(of));

let clock: ManualClock;
let places: LanePlaces;
beforeEach(() => {
  clock = new ManualClock();
  places = new LanePlaces(clock);
});

function receive(place: Place, ms = 1): ReturnType<Place['received']> {
  const news = place.received(ms);
  place.leave();
  return news;
}

function fail(place: Place, retryAfterS?: number): number {
  const opensAfter = place.troubled(retryAfterS);
  place.leave();
  return opensAfter;
}

/** Its last receipt was quick, and one attempt is under way. */
function quickLane(): void {
  const first = places.enter(lane);
  places.enter(lane);
  receive(first, answersWithinMs);
}

it('has sixteen in a lane of which nothing is known, or whose last receipt was slow', () => {
  expect(hold(places)).toHaveLength(usual);
  expect(places.withoutPlace()).toEqual([lane]);
  places = new LanePlaces(clock);
  quickLane();
  receive(places.enter(lane), answersWithinMs + 1);
  expect(hold(places)).toHaveLength(usual - 1);
});

it('has more where the last receipt was quick; what was given back without an attempt says nothing', () => {
  quickLane();
  places.enter(lane).leave();
  expect(hold(places)).toHaveLength(quickPlaces - 1);
  expect(places.withoutPlace()).toEqual([lane]);
});

it('has sixteen in a quick lane, too, once half of the places of the process are taken', () => {
  quickLane();
  const others = Array.from({ length: placesOfAll / 2 / usual }, (_, i) => hold(places, usual, `other_${String(i)}`));
  expect(others.flat()).toHaveLength(placesOfAll / 2);
  expect(hold(places)).toHaveLength(usual - 1);
  for (const place of others.flat().slice(0, 2 * usual)) place.leave();
  expect(hold(places, 1)).toHaveLength(1);
});

it('leaves a claim in a usual lane all that is free there, in a quick one half of it', async () => {
  hold(places, 3);
  expect(await whileLooking([lane])).toEqual({ claimable: usual - 3, held: 0 });
  expect(await whileLooking()).toEqual({ claimable: usual - 3, held: 0 });
  expect(await whileLooking(['another'])).toEqual({ claimable: usual - 3, held: usual - 3 });
  places = new LanePlaces(clock);
  quickLane();
  expect(await whileLooking([lane])).toEqual({ claimable: quickPlaces / 2, held: quickPlaces / 2 - 1 });
  expect((await roomIn()).places).toBe(quickPlaces / 4);
});

it('leaves eight places to claims where more waits than could be claimed', async () => {
  const claimed = Array.from({ length: 4 }, () => lane);
  hold(places, usual - 4);
  await places.looking([lane], async (room) => {
    room.of(lane);
    places.noteFull({ lanes: [lane], room, claimed, limit: 64 });
  });
  const [first] = claimed.map((one) => places.enter(one));
  receive(first!);
  expect(await first!.free).toBe(true);
  expect(hold(places)).toHaveLength(quickPlaces - (usual - 1) - 8);
  await places.looking([lane], async (room) => places.noteFull({ lanes: [lane], room, claimed: [], limit: 64 }));
  expect(hold(places)).toHaveLength(8);
});

it('keeps of a lane in which nothing is under way that it was quick, and leaving twice is as leaving once', () => {
  const place = places.enter(lane);
  receive(place, 0);
  place.leave();
  expect(places.withoutPlace()).toEqual([]);
  expect(hold(places)).toHaveLength(quickPlaces);
});

describe('endpoints that hang', () => {
  it('never take the places that are kept for those that answer', () => {
    receive(places.enter('well'));
    for (let i = 0; i < 40; i++) hold(places, usual, `hanging_${String(i)}`);
    clock.advance(answersWithinMs);
    // One each to unknown ones.
    expect(hold(places, 1000, 'hanging_0')).toHaveLength(0);
    expect(hold(places, 1000, 'hanging_39').length).toBeLessThanOrEqual(usual);
    expect(hold(places, 1000, 'well')).toHaveLength(usual);
    expect(places.withoutPlace()).toContain('hanging_39');
  });

  it('are told from those that answer by an attempt that is under way for a second, until the next receipt', async () => {
    const [slow, quick] = [places.enter(lane), places.enter(lane)];
    receive(quick);
    expect(await roomIn()).toMatchObject({ isProven: true, isUnknown: false });
    clock.advance(answersWithinMs);
    expect(await roomIn()).toMatchObject({ isProven: false, isUnknown: false });
    receive(slow, answersWithinMs);
    expect(await roomIn()).toMatchObject({ isProven: true });
    expect(await roomIn('another')).toMatchObject({ isProven: false, isUnknown: true });
  });

  it('leave so many to claims together', async () => {
    for (let i = 0; i < 4; i++) hold(places, usual, `hanging_${String(i)}`);
    clock.advance(answersWithinMs);
    expect(await places.looking(undefined, async ({ unproven }) => unproven)).toBe(unprovenPlaces - 4 * usual);
  });
});

describe('a half-open circuit', () => {
  const enter = () => places.enter(lane, { trouble: halfOpen });

  it('begins with two attempts at once, and has one more with each receipt', async () => {
    const held = [enter(), enter()];
    expect([(await roomIn()).window, places.canBeReserved(lane)]).toEqual([0, false]);
    for (const place of held) receive(place);
    expect((await roomIn()).window).toBe(2 * firstWindow);
  });

  it('has half as many after a failure, once for what was under way together, and grows slowly from there', async () => {
    for (let i = 0; i < 18; i++) receive(enter());
    const together = [enter(), enter(), enter()];
    clock.advance(10);
    for (const place of together) fail(place);
    expect((await roomIn()).window).toBe(10);
    for (let i = 0; i < 49; i++) receive(enter());
    expect((await roomIn()).window).toBe(10);
    for (let i = 0; i < 4; i++) receive(enter());
    expect((await roomIn()).window).toBe(11);
  });

  it('is closed when the endpoint has taken as many as any may have', () => {
    const news = Array.from({ length: quickPlaces - firstWindow }, () => receive(enter()));
    expect(news.slice(0, -1).every((one) => one === undefined)).toBe(true);
    expect(news.at(-1)).toBe('keeps-up');
    expect(hold(places)).toHaveLength(quickPlaces);
  });

  it('begins anew after it was open, and never above what the endpoint failed at', async () => {
    for (let i = 0; i < 6; i++) receive(enter());
    fail(enter());
    expect((await roomIn()).window).toBe(4);
    clock.advance(5000);
    expect((await roomIn()).window).toBe(4);
    const first = enter();
    expect((await roomIn()).window).toBe(firstWindow - 1);
    receive(first);
    receive(enter());
    receive(enter());
    expect((await roomIn()).window).toBe(4);
  });

  it('opens at once where the endpoint wants to be left alone', () => {
    receive(enter());
    expect(fail(enter(), 30)).toBe(1);
  });
});

describe('news of an endpoint', () => {
  const troubled = (more: Partial<LaneTrouble> = {}): LaneTrouble => ({ forMs: 60_000, circuit: 'closed', isFailing: false, ...more });
  const enter = (trouble?: LaneTrouble) => places.enter(lane, { trouble });

  it('does not open its circuit where it received something within a second', () => {
    expect(fail(enter())).toBe(laneRules.opensAfter);
    receive(enter());
    expect(fail(enter())).toBeGreaterThan(1_000_000);
    clock.advance(answersWithinMs);
    expect(fail(enter())).toBe(laneRules.opensAfter);
  });

  it('is that a probe was received, or that it answers after failures', () => {
    expect(receive(enter(troubled({ circuit: 'open', isFailing: true })))).toBe('recovers');
    expect(receive(enter())).toBeUndefined();
    expect(receive(enter(troubled({ forMs: 10, isFailing: true })))).toBe('answers');
    fail(enter());
    expect(receive(enter())).toBe('answers');
    expect(receive(enter())).toBeUndefined();
  });

  /** So many attempts in a second; a share of them is received. */
  const second = (received: number, of = 100): (string | undefined)[] => {
    const news = Array.from({ length: of }, (_, i) => {
      const place = enter(troubled());
      if (((i * 7) % of) / of < received) return receive(place);
      return void fail(place);
    });
    clock.advance(1000);
    return news;
  };

  it('is once that it recovers, when over 90 % were received within ten seconds after many failed', () => {
    for (let i = 0; i < 12; i++) expect(second(0.5)).not.toContain('recovers');
    for (let i = 0; i < 8; i++) expect(second(1)).not.toContain('recovers');
    const well = [...second(1), ...second(1), ...second(1)];
    expect(well.filter((one) => one === 'recovers')).toHaveLength(1);
    for (let i = 0; i < 12; i++) expect(second(0.95)).not.toContain('recovers');
  });

  it('begins a half-open circuit with what the endpoint takes already', async () => {
    for (let i = 0; i < 3; i++) second(1);
    const place = enter(halfOpen);
    expect((await roomIn()).window).toBe((2 * 100 * laneRules.heldForMs) / 1000 - 1);
    place.leave();
  });
});
