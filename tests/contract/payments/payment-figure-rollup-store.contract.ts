import * as fc from 'fast-check';
import type { FigureRollupStore } from '../../../src/domain/figures/ports';
import { settle } from '../../../src/domain/payments/order-payment';
import {
  overdueAfterMs,
  timeToFinalEdgesMs,
  type PaymentCounts,
  type PaymentFigureReader,
} from '../../../src/domain/payments/payment-figures';
import type { OrderPaymentRepository } from '../../../src/domain/payments/ports';
import { anIntent, report } from './payment-harness';

export interface PaymentFigureRollupStoreHarness {
  readonly figures: PaymentFigureReader;
  /** Of two instances. */
  readonly rollups: readonly [FigureRollupStore, FigureRollupStore];
  readonly payments: OrderPaymentRepository;
  /** The ids of the integrations of host_1 with app_1 and app_2, and of host_2 with app_1. */
  readonly integrations: readonly [string, string, string];
  /** Erases the user of all payments of host_1. */
  erase(): Promise<void>;
  /** Lets time pass for payments in process of the integration, as the sandbox does. */
  letPass(integrationId: string, ms: number): Promise<void>;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const now = Date.UTC(2026, 5, 20, 12, 34, 56, 789);

/** A payment as the test knows it. */
interface Known {
  readonly id: string;
  readonly integration: number;
  at: number;
  stage: 'created' | 'repeated' | 'accepted' | 'final';
  took?: number;
}

/** What happens next; payments are named by their number in the order of creation. */
type Action =
  | { readonly do: 'create'; readonly agoMs: number; readonly integration: number }
  | { readonly do: 'open' | 'refuse' | 'repeat'; readonly nth: number }
  | { readonly do: 'end'; readonly nth: number; readonly took: number }
  | { readonly do: 'advance'; readonly by: 'one' | 'both' | 'all'; readonly laterMs: number }
  | { readonly do: 'pass'; readonly integration: number; readonly ms: number }
  | { readonly do: 'erase' };

const nth = fc.nat({ max: 30 });
const integration = fc.nat({ max: 2 });
/** Many just before an hour, a half-day or an age, and some older than the sums. */
const agoMs = fc.oneof(
  fc.integer({ min: 0, max: 26 * hourMs }),
  fc.integer({ min: 0, max: 45 * dayMs }),
  fc.constantFrom(...timeToFinalEdgesMs).map((edge) => edge + 1),
  fc.integer({ min: -1, max: 30 }).map((n) => (now % hourMs) + n * 12 * hourMs),
);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('create' as const), agoMs, integration }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('open' as const, 'open' as const, 'refuse' as const, 'repeat' as const), nth }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end' as const), nth, took: fc.integer({ min: -5, max: 2 * dayMs }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      by: fc.constantFrom('one' as const, 'both' as const, 'all' as const),
      laterMs: fc.constantFrom(0, 0, 2 * hourMs, 3 * dayMs),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), integration, ms: fc.integer({ min: 1, max: 30 * hourMs }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'erase' as const }) },
);
const queries = fc.record({
  agoMs: fc.oneof(
    fc.integer({ min: 0, max: 44 * dayMs }),
    fc.integer({ min: 0, max: 90 }).map((halfDays) => (now % hourMs) + halfDays * 12 * hourMs),
  ),
  lengthMs: fc.oneof(
    fc.integer({ min: 1, max: 31 * dayMs }),
    fc.integer({ min: 1, max: 62 }).map((halfDays) => halfDays * 12 * hourMs),
  ),
  whose: fc.constantFrom({}, {}, { clientId: 'host_1' }, { appId: 'app_1' }, { clientId: 'host_1', appId: 'app_2' }),
});

/** Whatever happens to payments, and whichever instance sums them: the counts match the payments. */
export function paymentFigureRollupStoreContract(name: string, open: () => Promise<PaymentFigureRollupStoreHarness>): void {
  describe(`FigureRollupStore of payments: ${name}`, () => {
    it('does not change the counts', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(action, { minLength: 5, maxLength: 40 }),
          fc.array(queries, { minLength: 1, maxLength: 4 }),
          async (actions, questions) => {
            const harness = await open();
            const known: Known[] = [];
            for (const one of actions) await carryOut(one, known, harness);
            for (const { agoMs: ago, lengthMs, whose } of questions) {
              const [from, to] = [now - ago, now - ago + lengthMs];
              const of = known.filter((payment) => payment.at >= from && payment.at < to && isOf(whose, payment));
              expect(comparable(await harness.figures.count({ from, to, now, ...whose }))).toEqual(comparable(counted(of)));
            }
          },
        ),
        { numRuns: 25 },
      );
    }, 60_000);

    it('counts every payment once while two instances sum and payments are made and end', async () => {
      const { rollups, payments, figures, integrations } = await open();
      const integrationId = integrations[0];
      let isRunning = true;
      const summing = rollups.map(async (rollup) => {
        while (isRunning) await rollup.advance(now);
      });
      const paid = async (i: number) => {
        const [intent, orderPaymentId] = [anIntent(`pay_${String(i)}`, { integrationId, at: now - (i % 5) * hourMs }), `op-${String(i)}`];
        await payments.intend(intent);
        await payments.open(intent, orderPaymentId);
        if (i % 2 === 0)
          await payments.settle({ integrationId, orderPaymentId }, (stored) => settle(stored, report('paid', { orderPaymentId, at: now })));
      };
      const counts: number[] = [];
      for (let i = 0; i < 60; i += 10) {
        await Promise.all(Array.from({ length: 10 }, (_, n) => paid(i + n)));
        counts.push((await figures.count({ from: now - dayMs, to: now + 1, now })).funnel.created);
      }
      isRunning = false;
      await Promise.all(summing);
      expect(counts).toEqual([10, 20, 30, 40, 50, 60]);
      expect((await figures.count({ from: now - dayMs, to: now + 1, now })).funnel).toEqual({
        created: 60,
        accepted: 60,
        final: 30,
        noticed: 0,
      });
    });

    it('finishes, also with two instances, and starts again with new changes', async () => {
      const { rollups, payments, figures, integrations } = await open();
      for (let i = 0; i < 5; i++)
        await payments.intend(anIntent(`pay_${String(i)}`, { integrationId: integrations[0], at: now - i * dayMs }));
      let rounds = 0;
      while ((await Promise.all(rollups.map((rollup) => rollup.advance(now)))).some(Boolean)) expect(++rounds).toBeLessThan(10);
      expect(await rollups[0].advance(now)).toBe(false);
      const created = async () => (await figures.count({ from: now - 31 * dayMs, to: now + 1, now })).funnel.created;
      expect(await created()).toBe(5);
      await payments.intend(anIntent('pay_5', { integrationId: integrations[0], at: now }));
      expect(await created()).toBe(6);
      expect(await rollups[1].advance(now)).toBe(false);
      expect(await created()).toBe(6);
    });
  });
}

async function carryOut(
  action: Action,
  known: Known[],
  { payments, integrations, rollups, erase, letPass }: PaymentFigureRollupStoreHarness,
): Promise<void> {
  if (action.do === 'advance') {
    for (let more = true; more; more = more && action.by === 'all') {
      const at = rollups.slice(0, action.by === 'both' ? 2 : 1);
      more = (await Promise.all(at.map((rollup) => rollup.advance(now + action.laterMs)))).some(Boolean);
    }
    return;
  }
  if (action.do === 'erase') return erase();
  if (action.do === 'pass') {
    const integrationId = integrations[action.integration] ?? '';
    for (const payment of known) if (payment.integration === action.integration && payment.stage !== 'final') payment.at -= action.ms;
    return letPass(integrationId, action.ms);
  }
  if (action.do === 'create') {
    const payment: Known = { id: `pay_${String(known.length)}`, integration: action.integration, at: now - action.agoMs, stage: 'created' };
    known.push(payment);
    return payments.intend(anIntent(payment.id, { integrationId: integrations[action.integration] ?? '', at: payment.at }));
  }
  const payment = known[action.nth];
  if (!payment) return;
  const key = { integrationId: integrations[payment.integration] ?? '', orderPaymentId: `op-${payment.id}` };
  const intent = { id: payment.id, integrationId: key.integrationId };
  if (action.do === 'refuse' && payment.stage === 'created') return payments.giveUp(intent, 'refused');
  if (action.do === 'open' && payment.stage === 'created') {
    payment.stage = 'accepted';
    await payments.open(intent, key.orderPaymentId);
  }
  if (action.do === 'repeat' && payment.stage === 'created') {
    const first = known.find((one) => one.integration === payment.integration && (one.stage === 'accepted' || one.stage === 'final'));
    if (!first) return;
    payment.stage = 'repeated';
    await payments.open(intent, `op-${first.id}`);
  }
  if (action.do === 'end' && payment.stage === 'accepted') {
    Object.assign(payment, { stage: 'final', took: action.took });
    const completion = report('paid', { orderPaymentId: key.orderPaymentId, at: payment.at + action.took });
    await payments.settle(key, (stored) => settle(stored, completion));
  }
}

const pairs = [
  { clientId: 'host_1', appId: 'app_1' },
  { clientId: 'host_1', appId: 'app_2' },
  { clientId: 'host_2', appId: 'app_1' },
];
const isOf = (whose: { clientId?: string; appId?: string }, { integration: of }: Known): boolean =>
  (whose.clientId ?? pairs[of]?.clientId) === pairs[of]?.clientId && (whose.appId ?? pairs[of]?.appId) === pairs[of]?.appId;

/** What the payments are when they are counted one by one. No result has been received. */
function counted(payments: readonly Known[]): PaymentCounts {
  const created = payments.filter(({ stage }) => stage !== 'repeated');
  const [final, accepted] = [created.filter(({ stage }) => stage === 'final'), created.filter(({ stage }) => stage === 'accepted')];
  const overdue = accepted.filter(({ at }) => now - at > overdueAfterMs);
  const within = (ms: number, i: number): boolean => ms >= (timeToFinalEdgesMs[i] ?? 0) && ms < (timeToFinalEdgesMs[i + 1] ?? Infinity);
  const took = final.map(({ took: ms = 0 }) => ms).sort((a, b) => a - b);
  const percentile = (share: number): number | undefined => took[Math.max(1, Math.ceil(took.length * share)) - 1];
  return {
    funnel: { created: created.length, accepted: accepted.length + final.length, final: final.length, noticed: 0 },
    inProcess: accepted.length,
    overdue: overdue.length,
    bars: timeToFinalEdgesMs.map((fromMs, i) => ({
      fromMs,
      toMs: timeToFinalEdgesMs[i + 1],
      final: took.filter((ms) => within(ms, i)).length,
      overdue: overdue.filter(({ at }) => within(now - at, i)).length,
    })),
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
  };
}

/** Percentiles as the steps that they are read off. */
const comparable = ({ p50Ms, p95Ms, ...counts }: PaymentCounts): object => ({ ...counts, steps: [p50Ms, p95Ms].map(stepOf) });
const stepOf = (ms: number | undefined): number | undefined => ms && Math.ceil(Math.log(Math.max(ms, 1)) / Math.log(1.02));
