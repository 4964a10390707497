import fc from 'fast-check';
import { CallPlaces } from '../../../src/domain/isolation/call-places';
import { PartnerIsolation, type EndpointCall } from '../../../src/domain/isolation/partner-isolation';

const endpoint = (partnerId: string, step: 'exchange' | 'user_data' | 'create' | 'miniapp_token' = 'create'): EndpointCall => ({
  side: step === 'miniapp_token' ? 'miniapp' : 'hostapp',
  partnerId,
  step,
  url: `https://${partnerId}.example/${step}`,
});

let now = 0;
const isolationOf = (share = 0.25, places = { shared: 1000, reserve: 500 }) => new PartnerIsolation({ share, places, now: () => now });
/** As many calls as are taken, `most` at most. */
const fill = (isolation: PartnerIsolation, call: EndpointCall, integration: string, most = 10_000): CallPlaces[] => {
  const taken: CallPlaces[] = [];
  while (taken.length < most) {
    const place = isolation.take([call], integration);
    if (!(place instanceof CallPlaces)) break;
    taken.push(place);
  }
  return taken;
};

describe('the places of a process', () => {
  it('one endpoint takes its share at most', () => {
    const isolation = isolationOf();
    for (let n = 0; n < 10; n++) fill(isolation, endpoint('hanging'), `integration ${String(n)}`);
    expect(isolation.calls).toBeLessThanOrEqual(250 + 10 * 2);
    expect(isolation.calls).toBeGreaterThan(240);
  });

  it('one integration never takes all of an endpoint', () => {
    const isolation = isolationOf();
    expect(fill(isolation, endpoint('shared'), 'greedy')).toHaveLength(200);
    expect(fill(isolation, endpoint('shared'), 'other').length).toBeGreaterThan(20);
    expect(fill(isolation, endpoint('shared'), 'third').length).toBeGreaterThan(2);
  });

  it.each([1, 4, 40, 200])('%i endpoints that hang leave places to one that answers', (count) => {
    const isolation = isolationOf();
    for (let n = 0; n < count; n++) fill(isolation, endpoint(`hanging ${String(n)}`), `integration ${String(n)}`);
    const [first] = fill(isolation, endpoint('well'), 'well', 1);
    first?.at(endpoint('well'))?.ended('answered', now);
    first?.release();
    expect(fill(isolation, endpoint('well'), 'well').length).toBeGreaterThanOrEqual(16);
  });

  it('are never more than there are, with the reserve', () => {
    const isolation = isolationOf();
    for (let n = 0; n < 2000; n++) fill(isolation, endpoint(`hanging ${String(n)}`), 'a');
    expect(isolation.calls).toBe(1500);
  });

  it('all of them may go to one endpoint where the operator wants that', () => {
    const isolation = isolationOf(1);
    expect(fill(isolation, endpoint('only'), 'only')).toHaveLength(1000);
    fill(isolation, endpoint('other'), 'other');
    expect(isolation.take([endpoint('other')], 'other')).toMatchObject({ cause: 'partner-saturated', at: { partnerId: 'other' } });
  });

  it('a call takes all that it needs, or nothing', () => {
    const isolation = isolationOf();
    const full = fill(isolation, endpoint('mini', 'miniapp_token'), 'a');
    const needed = [endpoint('host', 'exchange'), endpoint('host', 'user_data'), endpoint('mini', 'miniapp_token')];
    expect(isolation.take(needed, 'a')).toMatchObject({ cause: 'partner-saturated', at: { step: 'miniapp_token' } });
    expect(isolation.inUse().map(({ name: { step }, held }) => [step, held])).toEqual([['miniapp_token', full.length]]);
    expect(isolation.refusals()).toMatchObject([{ cause: 'partner-saturated', count: 2 }]);
  });

  it('a time-out tells against an endpoint only where it had half of the time of the call', () => {
    const isolation = isolationOf();
    for (const hurried of [true, false]) {
      for (let n = 0; n < 10; n++) {
        const places = isolation.take([endpoint('host', 'exchange'), endpoint('host', 'user_data')], 'a');
        if (!(places instanceof CallPlaces)) continue;
        now += hurried ? 9000 : 1000;
        const place = places.at({ side: 'hostapp', step: 'user_data' });
        place?.begin(now);
        now += hurried ? 1000 : 9000;
        place?.ended('timed-out', now);
        places.release();
      }
      const refusal = isolation.take([endpoint('host', 'user_data')], 'a');
      expect(refusal instanceof CallPlaces).toBe(hurried);
      if (refusal instanceof CallPlaces) refusal.release();
    }
  });

  it('are not held by calls that wait for something else after the partners have answered', () => {
    const isolation = isolationOf();
    const leave = (call: EndpointCall, places: CallPlaces): void => places.at(call)?.leave(now);
    for (let n = 0; n < 2000; n++) {
      const endpoints = [endpoint('host', 'exchange'), endpoint('mini', 'miniapp_token')];
      const places = isolation.take(endpoints, 'a');
      if (!(places instanceof CallPlaces)) throw new Error(`No place for call ${String(n)}`);
      expect(isolation.calls).toBe(1);
      for (const call of endpoints) leave(call, places);
    }
    expect(isolation.calls).toBe(0);
  });

  it('come back however calls end, and however often they are given back', () => {
    const step = fc.constantFrom('exchange', 'user_data', 'create', 'miniapp_token');
    const action = fc.record({
      partner: fc.integer({ min: 0, max: 3 }),
      steps: fc.uniqueArray(step, { minLength: 1, maxLength: 4 }),
      integration: fc.constantFrom('a', 'b', 'c'),
      outcomes: fc.array(fc.constantFrom('answered', 'failed', 'timed-out', undefined), { minLength: 4, maxLength: 4 }),
      leavesEarly: fc.boolean(),
      endsAfter: fc.integer({ min: 0, max: 20 }),
      passes: fc.integer({ min: 0, max: 4000 }),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const isolation = isolationOf(0.25, { shared: 12, reserve: 6 });
        const ends: (() => void)[][] = [];
        actions.forEach(({ partner, steps, integration, outcomes, leavesEarly, endsAfter, passes }, at) => {
          for (const end of ends[at] ?? []) end();
          now += passes;
          const places = isolation.take(
            steps.map((one) => endpoint(String(partner), one)),
            integration,
          );
          expect(isolation.calls).toBeLessThanOrEqual(18);
          if (!(places instanceof CallPlaces)) return;
          const end = (): void => {
            steps.forEach((one, n) => {
              const place = places.at({ side: one === 'miniapp_token' ? 'miniapp' : 'hostapp', step: one });
              place?.ended(outcomes[n], now);
              if (leavesEarly) place?.leave(now);
            });
            places.release();
            places.release();
          };
          (ends[at + endsAfter + 1] ??= []).push(end);
        });
        for (const end of ends.slice(actions.length).flat()) end();
        expect(isolation.calls).toBe(0);
        expect(isolation.inUse().map(({ held }) => held)).toEqual(isolation.inUse().map(() => 0));
      }),
      { numRuns: 200 },
    );
  });
});
