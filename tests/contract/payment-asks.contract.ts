import { askRules } from '../../src/domain/payments/ask-plan';
import { settle } from '../../src/domain/payments/order-payment';
import type { DueAsk, PaymentAsks } from '../../src/domain/payments/payment-asks';
import type { OrderPaymentRepository } from '../../src/domain/payments/ports';
import { anIntent, report } from './payment-harness';

export interface AskHarness {
  readonly payments: OrderPaymentRepository;
  readonly asks: PaymentAsks;
  /** Another instance's, over the same storage. */
  readonly other: PaymentAsks;
  /** Time goes by, for everything that is stored. */
  pass(ms: number): Promise<void>;
  now(): number;
}

const leaseMs = 25_000;
const { places, turnEveryMs } = askRules;

/** What reconciliation may rely on, whoever keeps the plan. */
export function paymentAsksContract(name: string, open: () => Promise<AskHarness>): void {
  describe(`PaymentAsks: ${name}`, () => {
    let harness: AskHarness;
    beforeEach(async () => {
      harness = await open();
    });
    let made = 0;
    const keyOf = (id: string) => ({ integrationId: 'int_1', orderPaymentId: `op-${id}` });
    /** A payment in process of which a host app is first asked `dueIn` milliseconds from now. */
    const planned = async (dueIn = 0, clientId = 'host_1'): Promise<string> => {
      const id = `pay_${String(++made)}`;
      await harness.payments.intend(anIntent(id, { at: harness.now() - 60_000, ask: { clientId, at: harness.now() + dueIn } }));
      await harness.payments.open({ id, integrationId: 'int_1' }, keyOf(id).orderPaymentId);
      return id;
    };
    const many = async (count: number, clientId?: string): Promise<string[]> => {
      const ids: string[] = [];
      for (let i = 0; i < count; i++) ids.push(await planned(i - count, clientId));
      return ids;
    };
    const claim = (limit = 100, asks = harness.asks) => asks.claimDue({ limit, leaseMs });
    /** After the next turn. */
    const next = async (limit?: number) => (await harness.pass(turnEveryMs), claim(limit));
    const idsOf = (due: readonly DueAsk[]) => due.map(({ id }) => id).sort();
    const only = ([one, ...more]: readonly DueAsk[]): DueAsk => {
      if (!one || more.length > 0) throw new Error(`${String(more.length + (one ? 1 : 0))} claims where one was expected`);
      return one;
    };
    const answered = (due: DueAsk, nextAt?: number) => harness.asks.finish(due, { askedAt: harness.now(), outcome: 'in_process', nextAt });
    const inTrouble = (due: DueAsk, quietMs: number, nextIn = 0) => {
      const now = harness.now();
      return harness.asks.finish(due, { askedAt: now, outcome: 'x', nextAt: now + nextIn, quietUntil: now + quietMs });
    };

    it('claims what is due, once, and says whose it is', async () => {
      const id = await planned(-1);
      await planned(60_000);
      const claimed = only(await claim());
      expect(claimed).toEqual({ id, ...keyOf(id), clientId: 'host_1', failures: 0, lease: claimed.lease });
      expect([await claim(), await next()]).toEqual([[], []]);
    });

    it('leaves out what nobody is to be asked of, what has no id yet, and what has ended', async () => {
      await harness.payments.intend(anIntent('pay_a'));
      await harness.payments.open(anIntent('pay_a'), 'op-a');
      await harness.payments.intend(anIntent('pay_b', { ask: { clientId: 'host_1', at: 0 } }));
      const ended = await planned(-1);
      await harness.payments.settle(keyOf(ended), (payment) => settle(payment, report('paid', { orderPaymentId: `op-${ended}` })));
      expect(await claim()).toEqual([]);
    });

    it('lets one of twenty at once claim it', async () => {
      const id = await planned(-1);
      const claims = await Promise.all(Array.from({ length: 20 }, (_, i) => claim(100, i % 2 ? harness.asks : harness.other)));
      expect(idsOf(claims.flat())).toEqual([id]);
    });

    it('gives a claim that ran out to the next, and what was held by it changes nothing any more', async () => {
      await planned(-1);
      const first = only(await claim());
      await harness.pass(leaseMs + 1);
      const second = only(await claim());
      expect(second.lease).not.toBe(first.lease);
      expect(await answered(first)).toBe(false);
      expect(await answered(second, harness.now() + 1000)).toBe(true);
      expect(await answered(second)).toBe(false);
      expect(await next()).toEqual([]);
      await harness.pass(1000);
      expect(await claim()).toHaveLength(1);
    });

    it('asks no more where nothing follows', async () => {
      await planned(-1);
      expect(await answered(only(await claim()))).toBe(true);
      await harness.pass(1_000_000);
      expect(await claim()).toEqual([]);
    });

    it(`has ${String(places)} under way at a host app over all instances, those first that are due longest`, async () => {
      const ids = await many(places + 2);
      const racers = await Promise.all(Array.from({ length: 10 }, (_, i) => claim(100, i % 2 ? harness.asks : harness.other)));
      const first = racers.flat();
      expect(idsOf(first)).toEqual(ids.slice(0, places).sort());
      expect(await next()).toEqual([]);
      await answered(first[0]!);
      expect(await next()).toHaveLength(1);
    });

    it('begins asks at a host app once in each turn, whichever instance has it', async () => {
      for (let i = 0; i < places + 2; i++) await planned(-60_000);
      for (const due of await claim()) await answered(due);
      // As if the turn were far from over.
      await harness.pass(-10_000);
      expect([await claim(), await claim(100, harness.other)]).toEqual([[], []]);
      await harness.pass(10_000 + turnEveryMs);
      expect(await claim(100, harness.other)).toHaveLength(2);
    });

    it('gives a turn to one of many at once', async () => {
      await many(places);
      const began = performance.now();
      const racers = await Promise.all(Array.from({ length: 10 }, (_, i) => claim(1, i % 2 ? harness.asks : harness.other)));
      const turns = 1 + Math.floor((performance.now() - began) / turnEveryMs);
      expect(racers.flat().length).toBeGreaterThanOrEqual(1);
      expect(racers.flat().length).toBeLessThanOrEqual(turns);
    });

    it('has places of its own for each host app, and no more claims than were asked for', async () => {
      await many(places + 1);
      await many(places + 1, 'host_2');
      const first = await claim();
      expect(first).toHaveLength(2 * places);
      expect(new Set(first.map(({ clientId }) => clientId))).toEqual(new Set(['host_1', 'host_2']));
      for (const due of first) await answered(due);
      expect(await next(1)).toHaveLength(1);
      expect(await next(1)).toHaveLength(1);
    });

    it('leaves a host app alone that was in trouble, then asks one at a time, and all once it was reached', async () => {
      await many(places * 2);
      await planned(-1, 'host_2');
      const [first] = await claim();
      await inTrouble(first!, 10_000);
      await harness.pass(9000);
      expect(await claim()).toEqual([]);
      // The other three of the first look are still under way.
      await harness.pass(leaseMs - 9000 + 1);
      const probe = (await claim()).filter(({ clientId }) => clientId === 'host_1');
      expect(only(probe).failures).toBe(1);
      expect((await next()).filter(({ clientId }) => clientId === 'host_1')).toEqual([]);
      await inTrouble(only(probe), 5000);
      expect(await next()).toEqual([]);
      await harness.pass(5000);
      const again = only(await claim());
      expect(again.failures).toBe(2);
      await answered(again);
      const released = await next();
      expect(released).toHaveLength(places);
      expect(released[0]?.failures).toBe(0);
    });

    it('counts asks that failed side by side as one failure, and a success from before it as none', async () => {
      await many(places);
      const [first, ...more] = await claim();
      for (const due of more) await inTrouble(due, 1000);
      await answered(first!);
      await harness.pass(900);
      expect(await claim()).toEqual([]);
      await harness.pass(200);
      expect(only(await claim()).failures).toBe(1);
    });

    it('is left alone as long as the longest of those that failed asks for', async () => {
      await many(2);
      const [first, second] = await claim();
      await inTrouble(first!, 60_000);
      await inTrouble(second!, 1000);
      await harness.pass(30_000);
      expect(await claim()).toEqual([]);
      await harness.pass(30_001);
      expect(await claim()).toHaveLength(1);
    });

    it('ends what is too old, and finds results that no payment was opened for, each once', async () => {
      await planned(-1);
      await answered(only(await claim()), harness.now());
      await harness.payments.intend(anIntent('pay_lost', { at: harness.now() }));
      const early = { integrationId: 'int_1', orderPaymentId: 'op-lost' };
      await harness.payments.settle(early, (payment) => settle(payment, report('paid', { orderPaymentId: 'op-lost', at: harness.now() })));
      const before = (ms: number) => ({ createdBefore: harness.now() - ms, reportedBefore: harness.now() - ms });
      expect(await harness.asks.endOverdue(before(600_000))).toEqual({ asks: 0, results: 0 });
      await harness.pass(600_000);
      expect(await harness.asks.endOverdue(before(300_000))).toEqual({ asks: 1, results: 1 });
      expect(await harness.asks.endOverdue(before(300_000))).toEqual({ asks: 0, results: 0 });
      expect(await next()).toEqual([]);
    });
  });
}
