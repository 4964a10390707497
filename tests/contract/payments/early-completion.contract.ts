import type { OrderPaymentRepository } from '../../../src/domain/payments/ports';
import { actionsOn, anIntent, key, notFound, report, type PaymentHarness } from './payment-harness';

type Actions = ReturnType<typeof actionsOn>;
const hour = 3_600_000;

/** What holds when a completion overtakes the answer to its creation, whoever keeps the payments. */
export function earlyCompletionContract(name: string, open: () => Promise<PaymentHarness>): void {
  describe(`OrderPaymentRepository, completions that come first: ${name}`, () => {
    let harness: PaymentHarness;
    let payments: OrderPaymentRepository;
    let complete: Actions['complete'];
    let opened: Actions['opened'];
    let pendingIds: Actions['pendingIds'];
    beforeEach(async () => {
      harness = await open();
      ({ payments } = harness);
      ({ complete, opened, pendingIds } = actionsOn(harness));
    });

    it('keeps it until the creation is answered, and applies it then', async () => {
      await payments.intend(anIntent());
      expect(await complete(report('paid'))).toMatchObject({ outcome: 'settled', payment: { ...key, status: 'paid' } });
      expect(await payments.find(key)).toBeUndefined();
      expect(await pendingIds()).toEqual([]);
      expect(await payments.open(anIntent(), key.orderPaymentId)).toMatchObject({ id: 'pay_1', completion: report('paid') });
      const paid = { id: 'pay_1', status: 'paid', completion: report('paid'), userReference: 'üser-1' };
      expect(await payments.find(key)).toMatchObject(paid);
      expect(await harness.pending()).toEqual([{ id: 'pay_1', integrationId: 'int_1', completion: report('paid') }]);
      expect((await complete(report('paid'))).outcome).toBe('repeated');
    });

    it('answers as for a known payment: the first result wins', async () => {
      await payments.intend(anIntent());
      expect((await complete(report('processing'))).outcome).toBe('noted');
      expect((await complete(report('failed'))).outcome).toBe('settled');
      expect((await complete(report('failed', { requestId: 'again' }))).outcome).toBe('repeated');
      expect((await complete(report('paid'))).outcome).toBe('refused');
      expect((await complete(report('processing'))).outcome).toBe('refused');
      expect((await payments.open(anIntent(), key.orderPaymentId)).completion).toEqual(report('failed'));
      expect(await pendingIds()).toEqual(['pay_1']);
      expect(await harness.disagreements()).toEqual([{ ...key, kind: 'conflict', report: report('paid') }]);
    });

    it('lets exactly one of twenty that race settle it', async () => {
      await payments.intend(anIntent());
      const words = ['paid', 'failed'] as const;
      const reports = Array.from({ length: 20 }, (_, i) => report(words[i % 2]!, { requestId: `req-${i}` }));
      const outcomes = await Promise.all(reports.map((one, i) => complete(one, key, i % 2 ? payments : harness.other)));
      expect(outcomes.filter(({ outcome }) => outcome === 'settled')).toHaveLength(1);
      const { payment } = outcomes.find(({ outcome }) => outcome === 'settled')!;
      expect((await payments.open(anIntent(), key.orderPaymentId)).completion).toEqual(payment.completion);
      expect(await pendingIds()).toEqual(['pay_1']);
    });

    it('loses none of fifty that race their creation', async () => {
      const ids = Array.from({ length: 50 }, (_, i) => ({ intent: anIntent(`pay_${i}`), of: { ...key, orderPaymentId: `op-${i}` } }));
      for (const { intent } of ids) await payments.intend(intent);
      await Promise.all(
        ids.flatMap(({ intent, of }, i) => {
          const completing = () => complete(report('paid', of), of, harness.other);
          const opening = () => payments.open(intent, of.orderPaymentId);
          return i % 2 ? [completing(), opening()] : [opening(), completing()];
        }),
      );
      for (const { of } of ids) expect((await payments.find(of))?.status).toBe('paid');
      expect(new Set(await pendingIds())).toEqual(new Set(ids.map(({ intent }) => intent.id)));
      expect(await pendingIds()).toHaveLength(50);
    });

    it('keeps it for a creation that ended without an answer, for a day', async () => {
      await payments.intend(anIntent());
      await payments.giveUp(anIntent(), 'unanswered');
      await harness.age(23 * hour);
      expect((await complete(report('paid'))).outcome).toBe('settled');
      await harness.age(2 * hour);
      const unknown = { ...key, orderPaymentId: 'op-2' };
      await expect(complete(report('paid', unknown), unknown)).rejects.toMatchObject(notFound);
      // A completion that was taken once is still known.
      expect((await complete(report('paid'))).outcome).toBe('repeated');
      expect((await payments.open(anIntent(), key.orderPaymentId)).completion).toEqual(report('paid'));
    });

    it('does not wait for ever for a creation whose process died', async () => {
      await payments.intend(anIntent());
      await harness.age(25 * hour);
      await expect(complete(report('paid'))).rejects.toMatchObject(notFound);
    });

    it.each([
      ['nothing was intended', async () => undefined],
      ['the host app refused the creation', async () => (await payments.intend(anIntent()), payments.giveUp(anIntent(), 'refused'))],
      ['the creation was answered with another id', async () => opened(anIntent(), { ...key, orderPaymentId: 'op-2' })],
      ['only another integration waits', async () => payments.intend(anIntent('pay_1', { integrationId: 'int_2' }))],
    ])('knows no such payment where %s', async (_what, prepare) => {
      await prepare();
      await expect(complete(report('paid'))).rejects.toMatchObject(notFound);
      expect(await harness.disagreements()).toEqual([]);
      expect(await pendingIds()).toEqual([]);
    });
  });
}
