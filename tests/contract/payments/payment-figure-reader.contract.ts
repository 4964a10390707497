import { settle, type PaymentWord } from '../../../src/domain/payments/order-payment';
import { overdueAfterMs, timeToFinalEdgesMs, type PaymentFigureReader } from '../../../src/domain/payments/payment-figures';
import type { OrderPaymentRepository } from '../../../src/domain/payments/ports';
import { anIntent, report } from './payment-harness';

export interface PaymentFigureReaderHarness {
  readonly figures: PaymentFigureReader;
  readonly payments: OrderPaymentRepository;
  /** The ids of the integrations of host_1 with app_1 and app_2, and of host_2 with app_1; of one that was removed. */
  readonly integrations: readonly [string, string, string, string];
  /** The miniapp has received the payment's result. */
  receive(paymentId: string): Promise<void>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** At an hour, whole days after midnight. */
const now = Date.UTC(2026, 5, 20, 12);
const from = now - 31 * 24 * hourMs;

interface Made {
  readonly id: string;
  readonly integrationId: string;
  readonly at: number;
}

/** Payments are counted exactly, whoever counts and however much of them is summed already. */
export function paymentFigureReaderContract(name: string, open: () => Promise<PaymentFigureReaderHarness>): void {
  describe(`PaymentFigureReader: ${name}`, () => {
    let harness: PaymentFigureReaderHarness;
    let made: number;
    beforeEach(async () => {
      harness = await open();
      made = 0;
    });
    const create = async (at: number, integrationId = harness.integrations[0]): Promise<Made> => {
      const id = `pay_${String(++made)}`;
      await harness.payments.intend(anIntent(id, { integrationId, at }));
      return { id, integrationId, at };
    };
    const opened = async (at: number, integrationId?: string): Promise<Made> => {
      const payment = await create(at, integrationId);
      await harness.payments.open(payment, `op-${payment.id}`);
      return payment;
    };
    const ended = async (at: number, { after, word = 'paid', of }: { after: number; word?: PaymentWord; of?: string }): Promise<Made> => {
      const payment = await opened(at, of);
      const completion = report(word, { orderPaymentId: `op-${payment.id}`, at: at + after });
      await harness.payments.settle({ integrationId: payment.integrationId, orderPaymentId: completion.orderPaymentId }, (known) =>
        settle(known, completion),
      );
      return payment;
    };
    const count = (more: object = {}) => harness.figures.count({ from, to: now + hourMs, now, ...more });

    it('counts nothing where there is nothing', async () => {
      const counts = await count();
      expect(counts).toMatchObject({ funnel: { created: 0, accepted: 0, final: 0, noticed: 0 }, inProcess: 0, overdue: 0 });
      expect(counts.bars.map(({ fromMs }) => fromMs)).toEqual(timeToFinalEdgesMs);
      expect([counts.p50Ms, counts.p95Ms]).toEqual([undefined, undefined]);
    });

    it('tells how far payments came', async () => {
      const { payments, receive } = harness;
      const at = now - 50 * hourMs;
      await create(at);
      await payments.giveUp(await create(at), 'refused');
      await payments.giveUp(await create(at), 'unanswered');
      await opened(at);
      const twice = await create(at);
      await payments.open(twice, 'op-pay_4');
      await ended(at, { after: 1000 });
      await receive((await ended(at, { after: 1000, word: 'failed' })).id);
      expect((await count()).funnel).toEqual({ created: 6, accepted: 3, final: 2, noticed: 1 });
    });

    it('follows a payment that was given up, opened later and ended', async () => {
      const { payments } = harness;
      const payment = await create(now - 50 * hourMs);
      await payments.giveUp(payment, 'unanswered');
      expect((await count()).funnel).toMatchObject({ created: 1, accepted: 0, final: 0 });
      await payments.open(payment, 'op-late');
      expect(await count()).toMatchObject({ funnel: { created: 1, accepted: 1, final: 0 }, inProcess: 1, overdue: 1 });
      const completion = report('cancelled', { orderPaymentId: 'op-late', at: now });
      await payments.settle({ integrationId: payment.integrationId, orderPaymentId: 'op-late' }, (known) => settle(known, completion));
      expect(await count()).toMatchObject({ funnel: { created: 1, accepted: 1, final: 1 }, inProcess: 0, overdue: 0 });
    });

    it('counts payments created in the range, including its start but not its end', async () => {
      for (const at of [from - 1, from, now - 1, now]) await opened(at);
      expect((await count({ to: now })).funnel.created).toBe(2);
      for (const at of [now - 90 * minuteMs, now - 30 * minuteMs - 1]) await opened(at);
      expect((await count({ from: now - 90 * minuteMs, to: now - 30 * minuteMs })).funnel.created).toBe(2);
      expect((await count({ from: now - 40 * minuteMs, to: now - 30 * minuteMs })).funnel.created).toBe(1);
    });

    it('counts each host app and miniapp by itself, and removed integrations only in the total', async () => {
      const { integrations } = harness;
      for (const [i, id] of integrations.entries()) for (let n = 0; n <= i; n++) await opened(now - 30 * hourMs, id);
      const of = async (more: object) => (await count(more)).funnel.accepted;
      expect(await of({})).toBe(10);
      expect(await Promise.all([of({ clientId: 'host_1' }), of({ clientId: 'host_2' }), of({ appId: 'app_1' })])).toEqual([3, 3, 4]);
      expect([await of({ clientId: 'host_1', appId: 'app_2' }), await of({ clientId: 'host_3' })]).toEqual([2, 0]);
    });

    it('knows to the millisecond who is overdue, and by which bar', async () => {
      const edges = timeToFinalEdgesMs.filter((edge) => edge >= overdueAfterMs);
      for (const edge of edges) for (const age of [edge - 1, edge, edge + 1]) await opened(now - age);
      const { inProcess, overdue, bars } = await count();
      // Whoever is exactly as old as that is in the next bar, and overdue a millisecond later.
      expect([inProcess, overdue]).toEqual([edges.length * 3, edges.length * 3 - 2]);
      const overdueFrom = (edge: number) => bars.find(({ fromMs }) => fromMs === edge)?.overdue;
      expect(edges.map(overdueFrom)).toEqual([2, 3, 3, 2]);
    });

    it('groups results by their duration, with percentiles accurate to one in a hundred', async () => {
      const times = Array.from({ length: 40 }, (_, i) => Math.round(800 * 1.3 ** i));
      for (const [i, after] of times.entries()) await ended(now - (2 + 15 * i) * hourMs, { after });
      const { bars, p50Ms = 0, p95Ms = 0 } = await count();
      for (const { fromMs, toMs = Infinity, final } of bars) {
        expect([fromMs, final]).toEqual([fromMs, times.filter((ms) => ms >= fromMs && ms < toMs).length]);
      }
      expect(Math.abs(p50Ms / (times[19] ?? 0) - 1)).toBeLessThan(0.011);
      expect(Math.abs(p95Ms / (times[37] ?? 0) - 1)).toBeLessThan(0.011);
    });
  });
}
