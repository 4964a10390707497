import type { DeliveryRepository, DeliveryQueue, EventOutboxStore } from '../../../src/domain/deliveries/ports';
import type { AuditEntry } from '../../../src/domain/partners/ports';
import type { StatusPollRepository } from '../../../src/domain/payments/status-poll-repository';
import type { OrderPaymentRepository } from '../../../src/domain/payments/ports';
import type { TimeShiftRepository } from '../../../src/domain/timeshift/ports';
import { anOutboxEvent, claimOf } from '../../support/outbox-events';
import { attempt, idsOf } from './delivery-queue.contract';
import { notIds } from '../each-database';
import { anIntent, key } from '../payments/payment-harness';

export interface TimeShiftRepositoryHarness {
  readonly queue: DeliveryQueue;
  readonly outbox: EventOutboxStore;
  readonly repository: DeliveryRepository;
  readonly payments: OrderPaymentRepository;
  readonly polls: StatusPollRepository;
  /** The integrations int_1, of host_1 and app_1, and int_2, of host_2 and app_2, are there. */
  readonly timeShift: TimeShiftRepository;
  now(): number;
  audited(): Promise<readonly Pick<AuditEntry, 'action' | 'subject'>[]>;
}

const hour = 3_600_000;
const pair = { clientId: 'host_1', appId: 'app_1' };
const audit = (): AuditEntry => ({ actor: 'operator', action: 'sandbox.time-advanced', subject: 'integration:x', requestId: 'r', at: 1 });
/** Within 5 s, so that a slow machine does not matter: the steps of these tests are 25 s and longer. */
const about = (ms: number) => expect.closeTo(ms, -4) as number;

/** What letting time pass means, whoever keeps what waits. */
export function timeShiftRepositoryContract(name: string, open: () => Promise<TimeShiftRepositoryHarness>): void {
  describe(`TimeShiftRepository: ${name}`, () => {
    let harness: TimeShiftRepositoryHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const enqueue = (id: string, more: Parameters<typeof anOutboxEvent>[1] = {}) => harness.outbox.add(anOutboxEvent(id, more));
    const claim = () => harness.queue.claimDue(claimOf());
    const claimPolls = () => harness.polls.claimDue({ limit: 10, leaseMs: 20_000, maxPerSecond: 200 });
    const advance = (ms: number) => harness.timeShift.advance({ ...pair, ms }, audit);
    /** The first attempt fails; the next one is due in two hours. */
    const enqueueAndFail = async (id: string, more: Parameters<typeof anOutboxEvent>[1] = {}): Promise<number> => {
      await enqueue(id, more);
      const now = harness.now();
      const [due] = await claim();
      await harness.queue.retry(due!, attempt({ at: now, status: 400 }), { dueInMs: 2 * hour });
      return now;
    };

    it('brings a delivery nearer, with since when it is pending and its attempts', async () => {
      const began = await enqueueAndFail('ev_1');
      expect(await harness.timeShift.upcoming(pair)).toEqual({
        inFlight: 0,
        next: { what: 'delivery', id: 'ev_1', at: about(began + 2 * hour) },
      });
      expect(await advance(hour)).toEqual({ deliveries: 1, payments: 0 });
      expect(idsOf(await claim())).toEqual([]);
      expect(await harness.repository.find('ev_1')).toMatchObject({
        ...{ createdAt: about(began - hour), dueAt: about(began + hour) },
        attempts: [{ at: began - hour }],
      });
      await advance(hour);
      const [due] = await claim();
      expect(due).toMatchObject({ id: 'ev_1', tries: 1, reason: 'schedule', ageMs: about(2 * hour) });
      expect(await harness.timeShift.upcoming(pair)).toEqual({ inFlight: 1 });
    });

    it('leaves ended deliveries and those of other integrations unchanged', async () => {
      await enqueue('ev_1');
      const [first] = await claim();
      await harness.queue.delivered(first!, attempt());
      await enqueueAndFail('ev_2', { integrationId: 'int_2', receiver: 'miniapp' });
      const before = await harness.repository.list({}, { limit: 10 });
      expect(await advance(8 * hour)).toEqual({ deliveries: 0, payments: 0 });
      expect(await harness.repository.list({}, { limit: 10 })).toEqual(before);
      expect(await harness.timeShift.upcoming(pair)).toEqual({ inFlight: 0 });
      expect(await harness.timeShift.upcoming({ clientId: 'host_2', appId: 'app_2' })).toMatchObject({ next: { id: 'ev_2' } });
    });

    it('leaves a claim to who holds it', async () => {
      await enqueue('ev_1');
      const [held] = await claim();
      await advance(hour);
      expect(idsOf(await claim())).toEqual([]);
      expect(await harness.queue.delivered(held!, attempt())).toBe(true);
    });

    it('brings the probe of an open circuit nearer', async () => {
      await enqueue('ev_1');
      const probeAt = harness.now() + 25_000;
      for (let i = 0; i < 5; i++) {
        const [due] = await claim();
        await harness.queue.retry(due!, attempt({ status: 503 }), { dueInMs: -1000, trouble: { backoffMs: 25_000, opensAfter: 5 } });
      }
      expect(idsOf(await claim())).toEqual([]);
      expect(await harness.timeShift.upcoming(pair)).toMatchObject({ next: { id: 'ev_1', at: about(probeAt) } });
      await advance(25_000);
      expect(await claim()).toMatchObject([{ id: 'ev_1', reason: 'schedule', trouble: { forMs: about(25_000) } }]);
    });

    it('brings a status poll nearer', async () => {
      const at = harness.now();
      const intent = anIntent('pay_1', { at, firstPollAt: at + 60_000 });
      await harness.payments.intend(intent);
      await harness.payments.open(intent, key.orderPaymentId);
      expect(await harness.timeShift.upcoming(pair)).toEqual({ inFlight: 0, next: { what: 'payment', id: 'pay_1', at: at + 60_000 } });
      expect(await advance(60_000)).toEqual({ deliveries: 0, payments: 1 });
      expect(await harness.payments.find(key)).toMatchObject({ createdAt: at - 60_000 });
      const [claimed] = await claimPolls();
      expect(claimed).toMatchObject({ id: 'pay_1' });
      expect(await harness.timeShift.upcoming(pair)).toEqual({ inFlight: 1 });
      const trouble = { backoffMs: 2 * hour, isAway: true };
      await harness.polls.finish(claimed!, { polledAt: at, outcome: 'timeout', nextAfterMs: hour, trouble });
      const { inFlight, next } = (await harness.timeShift.upcoming(pair))!;
      expect([inFlight, next]).toMatchObject([0, { what: 'payment', id: 'pay_1' }]);
      expect(next!.at).toBeGreaterThanOrEqual(at + 2 * hour);
      expect(next!.at).toBeLessThanOrEqual(harness.now() + 2 * hour);
      await advance(hour);
      expect(await claimPolls()).toEqual([]);
      await advance(hour + 1000);
      expect(await claimPolls()).toMatchObject([{ id: 'pay_1' }]);
    });

    it('writes an audit row for each step, and nothing for an unknown integration', async () => {
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
