import type { DeliveryBook, DeliveryQueue, EventOutbox } from '../../src/domain/deliveries/ports';
import type { AuditEntry } from '../../src/domain/partners/ports';
import type { PaymentAsks } from '../../src/domain/payments/payment-asks';
import type { OrderPaymentRepository } from '../../src/domain/payments/ports';
import type { TimeShift } from '../../src/domain/timeshift/ports';
import { anOwedEvent, claimOf } from '../support/owed';
import { attempt, idsOf } from './delivery-queue.contract';
import { notIds } from './each-database';
import { anIntent, key } from './payment-harness';

export interface TimeShiftHarness {
  readonly queue: DeliveryQueue;
  readonly outbox: EventOutbox;
  readonly book: DeliveryBook;
  readonly payments: OrderPaymentRepository;
  readonly asks: PaymentAsks;
  /** The integrations int_1, of host_1 and app_1, and int_2, of host_2 and app_2, are there. */
  readonly timeShift: TimeShift;
  now(): number;
  audited(): Promise<readonly Pick<AuditEntry, 'action' | 'subject'>[]>;
}

const hour = 3_600_000;
const pair = { clientId: 'host_1', appId: 'app_1' };
const audit = (): AuditEntry => ({ actor: 'operator', action: 'sandbox.time-advanced', subject: 'integration:x', requestId: 'r', at: 1 });
/** Between the present of the test and that of the database. */
const about = (ms: number) => expect.closeTo(ms, -3) as number;

/** What letting time pass means, whoever keeps what waits. */
export function timeShiftContract(name: string, open: () => Promise<TimeShiftHarness>): void {
  describe(`TimeShift: ${name}`, () => {
    let harness: TimeShiftHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const owe = (id: string, more: Parameters<typeof anOwedEvent>[1] = {}) => harness.outbox.owe(anOwedEvent(id, more));
    const claim = () => harness.queue.claimDue(claimOf());
    const claimAsks = () => harness.asks.claimDue({ limit: 10, leaseMs: 20_000, maxPerSecond: 200 });
    const advance = (ms: number) => harness.timeShift.advance({ ...pair, ms }, audit);
    /** The first attempt fails; the next one is due in two hours. */
    const oweAndFail = async (id: string, more: Parameters<typeof anOwedEvent>[1] = {}): Promise<number> => {
      await owe(id, more);
      const now = harness.now();
      const [due] = await claim();
      await harness.queue.retry(due!, attempt({ at: now, status: 400 }), { dueInMs: 2 * hour });
      return now;
    };

    it('brings a delivery nearer, with since when it is owed and its attempts', async () => {
      const began = await oweAndFail('ev_1');
      expect(await harness.timeShift.upcoming(pair)).toEqual({
        underWay: 0,
        next: { what: 'delivery', id: 'ev_1', at: about(began + 2 * hour) },
      });
      expect(await advance(hour)).toEqual({ deliveries: 1, payments: 0 });
      expect(idsOf(await claim())).toEqual([]);
      expect(await harness.book.find('ev_1')).toMatchObject({
        ...{ createdAt: about(began - hour), dueAt: about(began + hour) },
        attempts: [{ at: began - hour }],
      });
      await advance(hour);
      const [due] = await claim();
      expect(due).toMatchObject({ id: 'ev_1', tries: 1, reason: 'schedule', ageMs: about(2 * hour) });
      expect(await harness.timeShift.upcoming(pair)).toEqual({ underWay: 1 });
    });

    it('leaves what has ended and what is of others as it is', async () => {
      await owe('ev_1');
      const [first] = await claim();
      await harness.queue.delivered(first!, attempt());
      await oweAndFail('ev_2', { integrationId: 'int_2', receiver: 'miniapp' });
      const before = await harness.book.list({}, { limit: 10 });
      expect(await advance(8 * hour)).toEqual({ deliveries: 0, payments: 0 });
      expect(await harness.book.list({}, { limit: 10 })).toEqual(before);
      expect(await harness.timeShift.upcoming(pair)).toEqual({ underWay: 0 });
      expect(await harness.timeShift.upcoming({ clientId: 'host_2', appId: 'app_2' })).toMatchObject({ next: { id: 'ev_2' } });
    });

    it('leaves a claim to who holds it', async () => {
      await owe('ev_1');
      const [held] = await claim();
      await advance(hour);
      expect(idsOf(await claim())).toEqual([]);
      expect(await harness.queue.delivered(held!, attempt())).toBe(true);
    });

    it('knows that what waits in a closed lane waits for a look, and brings the look nearer too', async () => {
      await owe('ev_1');
      const lookAt = harness.now() + 25_000;
      for (let i = 0; i < 5; i++) {
        const [due] = await claim();
        await harness.queue.retry(due!, attempt({ status: 503 }), { dueInMs: -1000, trouble: { quietMs: 25_000, opensAfter: 5 } });
      }
      expect(idsOf(await claim())).toEqual([]);
      expect(await harness.timeShift.upcoming(pair)).toMatchObject({ next: { id: 'ev_1', at: about(lookAt) } });
      await advance(25_000);
      expect(await claim()).toMatchObject([{ id: 'ev_1', reason: 'schedule', trouble: { forMs: about(25_000) } }]);
    });

    it('brings nearer when a payment is asked about, and spares its host app so much shorter', async () => {
      const at = harness.now();
      const intent = anIntent('pay_1', { at, ask: { clientId: 'host_1', at: at + 60_000 } });
      await harness.payments.intend(intent);
      await harness.payments.open(intent, key.orderPaymentId);
      expect(await harness.timeShift.upcoming(pair)).toEqual({ underWay: 0, next: { what: 'payment', id: 'pay_1', at: at + 60_000 } });
      expect(await advance(60_000)).toEqual({ deliveries: 0, payments: 1 });
      expect(await harness.payments.find(key)).toMatchObject({ createdAt: at - 60_000 });
      const [ask] = await claimAsks();
      expect(ask).toMatchObject({ id: 'pay_1' });
      expect(await harness.timeShift.upcoming(pair)).toEqual({ underWay: 1 });
      const trouble = { quietMs: 2 * hour, isAway: true };
      await harness.asks.finish(ask!, { askedAt: at, outcome: 'timeout', nextAfterMs: hour, trouble });
      const { underWay, next } = (await harness.timeShift.upcoming(pair))!;
      expect([underWay, next]).toMatchObject([0, { what: 'payment', id: 'pay_1' }]);
      expect(next!.at).toBeGreaterThanOrEqual(at + 2 * hour);
      expect(next!.at).toBeLessThanOrEqual(harness.now() + 2 * hour);
      await advance(hour);
      expect(await claimAsks()).toEqual([]);
      await advance(hour + 1000);
      expect(await claimAsks()).toMatchObject([{ id: 'pay_1' }]);
    });

    it('keeps an audit row of each step, and nothing of an integration that is not there', async () => {
      await advance(1);
      expect(await harness.timeShift.advance({ clientId: 'host_1', appId: 'app_2', ms: 1 }, audit)).toBeUndefined();
      expect(await harness.timeShift.upcoming({ clientId: 'host_1', appId: 'app_2' })).toBeUndefined();
      expect(await harness.audited()).toEqual([expect.objectContaining({ action: 'sandbox.time-advanced' })]);
    });

    it.each(notIds)('takes %s for no id', async (_what, id) => {
      const wrong = { clientId: 'host_1', appId: id as string };
      await expect(harness.timeShift.upcoming(wrong)).rejects.toThrow();
      await expect(harness.timeShift.advance({ ...wrong, ms: 1 }, audit)).rejects.toThrow();
    });
  });
}
