import type { OrderPayment } from '../../../src/domain/payments/order-payment';
import type { OrderPaymentRepository } from '../../../src/domain/payments/ports';
import { notIds } from '../each-database';
import { actionsOn, anIntent, begun, key, notFound, report, type PaymentHarness } from './payment-harness';

type Actions = ReturnType<typeof actionsOn>;

/** What payments may rely on, whoever keeps them. */
export function orderPaymentRepositoryContract(name: string, open: () => Promise<PaymentHarness>): void {
  describe(`OrderPaymentRepository: ${name}`, () => {
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

    it('opens a stored intent, and finds it by integration and id', async () => {
      const payment: OrderPayment = { id: 'pay_1', ...key, status: 'in_process', userReference: 'üser-1', createdAt: begun };
      expect(await opened()).toEqual(payment);
      expect(await payments.find(key)).toEqual(payment);
      expect(await payments.find({ ...key, integrationId: 'int_2' })).toBeUndefined();
      expect(await payments.find({ ...key, orderPaymentId: 'op-2' })).toBeUndefined();
    });

    it('opens an order without a user', async () => {
      const {
        fields: { hostappUserId: _, ...fields },
        relayed,
      } = anIntent().order;
      expect(await opened(anIntent('pay_1', { order: { fields, relayed } }))).not.toHaveProperty('userReference');
    });

    it('keeps ids of two integrations apart, though they are equal', async () => {
      await opened();
      await opened(anIntent('pay_2', { integrationId: 'int_2' }), { ...key, integrationId: 'int_2' });
      await complete(report('paid'), { ...key, integrationId: 'int_2' });
      expect((await payments.find(key))?.status).toBe('in_process');
      expect((await payments.find({ ...key, integrationId: 'int_2' }))?.status).toBe('paid');
      expect(await pendingIds()).toEqual(['pay_2']);
    });

    it('takes an id that is returned twice as one payment', async () => {
      await payments.intend(anIntent());
      expect(await payments.open(anIntent(), key.orderPaymentId)).toMatchObject({ id: 'pay_1' });
      const first = await payments.find(key);
      await payments.intend(anIntent('pay_2'));
      for (const id of ['pay_2', 'pay_2', 'pay_1'])
        expect(await payments.open(anIntent(id), key.orderPaymentId)).toMatchObject({ id: 'pay_1' });
      expect(await payments.find(key)).toEqual(first);
      await expect(payments.open(anIntent('pay_2'), 'op-2')).rejects.toThrow();
      // Both creations are answered: an unknown id is unknown again.
      await expect(complete(report('paid'), { ...key, orderPaymentId: 'op-3' })).rejects.toMatchObject(notFound);
    });

    it('takes an id that is returned to twenty at once as one payment', async () => {
      const intents = Array.from({ length: 20 }, (_, i) => anIntent(`pay_${i}`));
      for (const intent of intents) await payments.intend(intent);
      const found = await Promise.all(intents.map((intent, i) => (i % 2 ? payments : harness.other).open(intent, key.orderPaymentId)));
      expect(new Set(found.map(({ id }) => id)).size).toBe(1);
    });

    it('stores concurrent intents and payments, each under its own id', async () => {
      const intents = Array.from({ length: 40 }, (_, i) => anIntent(`pay_${i}`, { integrationId: `int_${i % 3}` }));
      await Promise.all(intents.map((intent) => payments.intend(intent)));
      await Promise.all(intents.map((intent) => payments.open(intent, `op-${intent.id}`)));
      const found = await Promise.all(intents.map(({ id, integrationId }) => payments.find({ integrationId, orderPaymentId: `op-${id}` })));
      expect(found.map((payment) => payment?.id)).toEqual(intents.map(({ id }) => id));
      expect(new Set(found.map((payment) => payment?.userReference))).toEqual(new Set(['üser-1']));
    });

    it('stores all concurrent intents except one whose id was used before', async () => {
      await payments.intend(anIntent('pay_0'));
      const intended = await Promise.allSettled(Array.from({ length: 5 }, (_, i) => payments.intend(anIntent(`pay_${i}`))));
      expect(intended.map(({ status }) => status)).toEqual(['rejected', ...Array<string>(4).fill('fulfilled')]);
      expect(await payments.open(anIntent('pay_4'), 'op-4')).toMatchObject({ id: 'pay_4' });
    });

    it('refuses to open a payment without an intent, or twice under different ids', async () => {
      await expect(payments.open(anIntent('pay_9'), key.orderPaymentId)).rejects.toThrow('never intended');
      await opened();
      await expect(payments.open(anIntent(), 'op-2')).rejects.toThrow();
      await expect(payments.open(anIntent('pay_1', { integrationId: 'int_2' }), 'op-2')).rejects.toThrow('never intended');
      await expect(payments.intend(anIntent())).rejects.toThrow();
      expect(await payments.find({ ...key, orderPaymentId: 'op-2' })).toBeUndefined();
    });

    it('commits the result, its first report and its delivery together', async () => {
      const payment = await opened();
      const settlement = await complete(report('paid'));
      const paid = { ...payment, status: 'paid', completion: report('paid') };
      expect(settlement).toMatchObject({ outcome: 'settled', payment: paid });
      expect(await payments.find(key)).toEqual(paid);
      expect(await harness.pending()).toEqual([{ id: 'pay_1', integrationId: 'int_1', completion: report('paid') }]);
    });

    it('keeps a report that is only its word', async () => {
      await opened();
      const bare = report('cancelled', { failReason: undefined, customAttributes: undefined });
      await complete(bare);
      expect((await payments.find(key))?.completion).toEqual(bare);
    });

    it('writes nothing of a payment that is still in process', async () => {
      const payment = await opened();
      for (const word of ['in_process', 'processing'] as const) expect((await complete(report(word))).outcome).toBe('noted');
      expect(await payments.find(key)).toEqual(payment);
      expect(await pendingIds()).toEqual([]);
    });

    it('writes nothing where the change throws', async () => {
      const payment = await opened();
      const thrown = payments.settle(key, () => {
        throw new Error('no');
      });
      await expect(thrown).rejects.toThrow('no');
      expect(await payments.find(key)).toEqual(payment);
    });

    it('queues one delivery, and stores each different report once', async () => {
      await opened();
      await complete(report('paid'));
      for (let i = 0; i < 3; i++) {
        expect((await complete(report('paid', { requestId: `again-${i}`, at: 2 }))).outcome).toBe('repeated');
        expect((await complete(report('paid', { failReason: 'other', requestId: `other-${i}` }))).outcome).toBe('repeated');
        expect((await complete(report('failed', { requestId: `failed-${i}` }))).outcome).toBe('refused');
        expect((await complete(report('in_process'))).outcome).toBe('refused');
      }
      expect((await payments.find(key))?.completion).toEqual(report('paid'));
      expect(await pendingIds()).toEqual(['pay_1']);
      expect(await harness.disagreements()).toEqual([
        { ...key, kind: 'difference', report: report('paid', { failReason: 'other', requestId: 'other-0' }) },
        { ...key, kind: 'conflict', report: report('failed', { requestId: 'failed-0' }) },
      ]);
    });

    it('lets exactly one of twenty that race settle a payment', async () => {
      await opened();
      const words = ['paid', 'failed', 'cancelled'] as const;
      const reports = Array.from({ length: 20 }, (_, i) => report(words[i % 3]!, { requestId: `req-${i}` }));
      const outcomes = await Promise.all(reports.map((one, i) => complete(one, key, i % 2 ? payments : harness.other)));
      expect(outcomes.filter(({ outcome }) => outcome === 'settled')).toHaveLength(1);
      const { payment } = outcomes.find(({ outcome }) => outcome === 'settled')!;
      expect(await payments.find(key)).toEqual(payment);
      for (const one of outcomes) expect(one.payment.status).toBe(payment.status);
      const pending = await harness.pending();
      expect(pending.map(({ completion }) => completion)).toEqual([payment.completion]);
    });

    it('refuses a result that contradicts one from another instance, and records the conflict', async () => {
      await opened();
      expect((await complete(report('paid'), key, harness.other)).outcome).toBe('settled');
      expect(await complete(report('failed', { requestId: 'late' }))).toMatchObject({ outcome: 'refused', payment: { status: 'paid' } });
      expect(await complete(report('paid'))).toMatchObject({ outcome: 'repeated', payment: { userReference: 'üser-1' } });
      expect(await pendingIds()).toEqual(['pay_1']);
      expect(await harness.disagreements()).toMatchObject([{ kind: 'conflict', report: { requestId: 'late' } }]);
    });

    it('settles what another instance has opened', async () => {
      const payment = await opened();
      const settlement = await complete(report('paid'), key, harness.other);
      expect(settlement).toMatchObject({ outcome: 'settled', payment: { ...payment, status: 'paid' } });
    });

    it('gives up only intents that are not open', async () => {
      await expect(payments.giveUp(anIntent('pay_9'), 'refused')).rejects.toThrow('never intended');
      await opened();
      await expect(payments.giveUp(anIntent(), 'refused')).rejects.toThrow();
      await payments.intend(anIntent('pay_2'));
      await payments.open(anIntent('pay_2'), key.orderPaymentId);
      await expect(payments.giveUp(anIntent('pay_2'), 'unanswered')).rejects.toThrow();
    });

    it.each(notIds)('never takes %s for an id, though a payment is there', async (_what, id) => {
      await opened();
      await payments.intend(anIntent('pay_2'));
      const missing = id as string;
      for (const wrong of [
        { ...key, integrationId: missing },
        { ...key, orderPaymentId: missing },
      ]) {
        await expect(payments.find(wrong)).rejects.toThrow();
        await expect(complete(report('paid'), wrong)).rejects.toThrow();
      }
      await expect(payments.open(anIntent('pay_2'), missing)).rejects.toThrow();
      for (const wrong of [anIntent(missing), anIntent('pay_3', { integrationId: missing })]) {
        await expect(payments.intend(wrong)).rejects.toThrow();
        await expect(payments.open(wrong, 'op-2')).rejects.toThrow();
        await expect(payments.giveUp(wrong, 'refused')).rejects.toThrow();
      }
      expect((await payments.find(key))?.status).toBe('in_process');
    });
  });
}
