import { laneRules } from '../../../src/domain/deliveries/lane';
import { LanePlaces, type Place } from '../../../src/domain/deliveries/lane-places';

const { places: usual, quickPlaces, quickMs, placesOfAll } = laneRules;
const lane = 'miniapp:app_1:completion';

/** Takes places of a lane until none can be held; at most `most`. */
function hold(places: LanePlaces, most = 1000, of = lane): Place[] {
  const held: Place[] = [];
  while (held.length < most && places.canBeHeld(of)) held.push(places.enter(of));
  return held;
}

/** What a claim is told that it may take, and how many can be held while it is under way. */
async function whileLooking(places: LanePlaces, lanes?: readonly string[]): Promise<{ claimable: number | undefined; held: number }> {
  return places.looking(lanes, async (free) => ({ claimable: free.get(lane), held: hold(places).length }));
}

let places: LanePlaces;
beforeEach(() => {
  places = new LanePlaces();
});

/** Its last receipt was quick, and one attempt is under way. */
function quickLane(): void {
  const first = places.enter(lane);
  places.enter(lane);
  first.leave(quickMs);
}

it('has sixteen in a lane of which nothing is known, or whose last receipt was slow', () => {
  expect(hold(places)).toHaveLength(usual);
  expect(places.withoutPlace()).toEqual([lane]);
  places = new LanePlaces();
  quickLane();
  places.enter(lane).leave(quickMs + 1);
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
  expect(await whileLooking(places, [lane])).toEqual({ claimable: usual - 3, held: 0 });
  expect(await whileLooking(places)).toEqual({ claimable: usual - 3, held: 0 });
  expect(await whileLooking(places, ['another'])).toEqual({ claimable: usual - 3, held: usual - 3 });
  places = new LanePlaces();
  quickLane();
  expect(await whileLooking(places, [lane])).toEqual({ claimable: quickPlaces / 2, held: quickPlaces / 2 - 1 });
  expect(await places.looking([lane], async (free) => free.get(lane))).toBe(quickPlaces / 4);
});

it('leaves eight places to claims where more waits than could be claimed', async () => {
  const claimed = Array.from({ length: 4 }, () => lane);
  hold(places, usual - 4);
  await places.looking([lane], async (free) => places.noteFull({ lanes: [lane], free, claimed, limit: 64 }));
  const [first] = claimed.map((one) => places.enter(one));
  first!.leave(quickMs);
  expect(await first!.free).toBe(true);
  expect(hold(places)).toHaveLength(quickPlaces - (usual - 1) - 8);
  await places.looking([lane], async (free) => places.noteFull({ lanes: [lane], free, claimed: [], limit: 64 }));
  expect(hold(places)).toHaveLength(8);
});

it('keeps of a lane in which nothing is under way that it was quick, and leaving twice is as leaving once', async () => {
  const place = places.enter(lane);
  place.leave(0);
  place.leave(Infinity);
  expect(await places.looking(undefined, async (free) => free.size)).toBe(0);
  expect(hold(places)).toHaveLength(quickPlaces);
});
