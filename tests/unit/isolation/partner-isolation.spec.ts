import fc from 'fast-check';
import { CallSlots } from '../../../src/domain/isolation/call-slots';
import { PartnerIsolation, type EndpointCall } from '../../../src/domain/isolation/partner-isolation';

const endpoint = (partnerId: string, step: 'exchange' | 'user_data' | 'create' | 'miniapp_token' = 'create'): EndpointCall => ({
  side: step === 'miniapp_token' ? 'miniapp' : 'hostapp',
  partnerId,
  step,
  url: `https://${partnerId}.example/${step}`,
});

let now = 0;
const isolationOf = (share = 0.25, slots = { shared: 1000, reserve: 500 }) => new PartnerIsolation({ share, slots, now: () => now });
/** As many calls as are taken, `most` at most. */
const fill = (isolation: PartnerIsolation, call: EndpointCall, integration: string, max = 10_000): CallSlots[] => {
  const taken: CallSlots[] = [];
  while (taken.length < max) {
    const slot = isolation.take([call], integration);
    if (!(slot instanceof CallSlots)) break;
    taken.push(slot);
  }
  return taken;
};

describe('the slots of a process', () => {
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

  it.each([1, 4, 40, 200])('%i endpoints that hang leave slots to one that answers', (count) => {
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

  it('may all go to one endpoint if the operator allows it', () => {
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

  it('count a time-out against an endpoint only if it had half of the time of the call', () => {
    const isolation = isolationOf();
    for (const hurried of [true, false]) {
      for (let n = 0; n < 10; n++) {
        const slots = isolation.take([endpoint('host', 'exchange'), endpoint('host', 'user_data')], 'a');
        if (!(slots instanceof CallSlots)) continue;
        now += hurried ? 9000 : 1000;
        const slot = slots.at({ side: 'hostapp', step: 'user_data' });
        slot?.begin(now);
        now += hurried ? 1000 : 9000;
        slot?.ended('timed-out', now);
        slots.release();
      }
      const refusal = isolation.take([endpoint('host', 'user_data')], 'a');
      expect(refusal instanceof CallSlots).toBe(hurried);
      if (refusal instanceof CallSlots) refusal.release();
    }
  });

  it('are free while a call waits for something else after the partners have answered', () => {
    const isolation = isolationOf();
    const leave = (call: EndpointCall, slots: CallSlots): void => slots.at(call)?.leave(now);
    for (let n = 0; n < 2000; n++) {
      const endpoints = [endpoint('host', 'exchange'), endpoint('mini', 'miniapp_token')];
      const slots = isolation.take(endpoints, 'a');
      if (!(slots instanceof CallSlots)) throw new Error(`No slot for call ${String(n)}`);
      expect(isolation.calls).toBe(1);
      for (const call of endpoints) leave(call, slots);
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
          const slots = isolation.take(
            steps.map((one) => endpoint(String(partner), one)),
            integration,
          );
          expect(isolation.calls).toBeLessThanOrEqual(18);
          if (!(slots instanceof CallSlots)) return;
          const end = (): void => {
            steps.forEach((one, n) => {
              const slot = slots.at({ side: one === 'miniapp_token' ? 'miniapp' : 'hostapp', step: one });
              slot?.ended(outcomes[n], now);
              if (leavesEarly) slot?.leave(now);
            });
            slots.release();
            slots.release();
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
