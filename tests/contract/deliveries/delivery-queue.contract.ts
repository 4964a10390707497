import type { Attempt, DueDelivery } from '../../../src/domain/deliveries/delivery';
import { endpointQueueRules } from '../../../src/domain/deliveries/endpoint-queue';
import type { DeliveryRepository, DeliveryQueue, EventOutboxStore } from '../../../src/domain/deliveries/ports';
import { jsonEquals, printJson } from '../../../src/domain/shared/print-json';
import { aPendingCompletion, anOutboxEvent, claimOf, eventBody, causeSpan, capacityOf } from '../../support/outbox-events';
import { notIds } from '../each-database';

export interface DeliveryHarness {
  readonly queue: DeliveryQueue;
  readonly outbox: EventOutboxStore;
  readonly repository: DeliveryRepository;
  /** Another instance's queue over the same storage. */
  readonly other: DeliveryQueue;
  /** Settles a payment, so that its completion is pending. */
  completes(id: string): Promise<void>;
  /** Lets time pass for the queue. */
  pass(ms: number): Promise<void>;
  /** The queue's present time, in milliseconds since the epoch. */
  now(): number;
}

export const leaseMs = 20_000;
export const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  ...{ reason: 'schedule', at: Date.UTC(2026, 0, 1, 12), ms: 12, status: 200 },
  ...more,
});
export const idsOf = (due: readonly DueDelivery[]): string[] => due.map(({ id }) => id);

/** What delivering may rely on, with any queue. */
export function deliveryQueueContract(name: string, open: () => Promise<DeliveryHarness>): void {
  describe(`DeliveryQueue: ${name}`, () => {
    let harness: DeliveryHarness;
    let queue: DeliveryQueue;
    beforeEach(async () => {
      harness = await open();
      ({ queue } = harness);
    });
    const claim = (on = queue, limit = 100) => on.claimDue(claimOf(limit));
    const enqueue = (id: string, more: Parameters<typeof anOutboxEvent>[1] = {}) => harness.outbox.add(anOutboxEvent(id, more));
    const only = async (on = queue): Promise<DueDelivery> => {
      const due = await claim(on);
      expect(due).toHaveLength(1);
      return due[0]!;
    };

    it('hands out an event whole, with the bytes that were queued', async () => {
      await enqueue('ev_1', { receiver: 'miniapp' });
      const due = await only();
      expect(due).toMatchObject({
        id: 'ev_1',
        integrationId: 'int_1',
        tries: 0,
        content: { kind: 'event', receiver: 'miniapp', requestId: 'req-1', span: causeSpan },
      });
      expect(due.lease).not.toBe('');
      expect(due.content.kind === 'event' && printJson(due.content.body)).toBe(eventBody);
    });

    it('hands out a completion whole', async () => {
      await harness.completes('pay_1');
      const { content, ageMs } = await only();
      if (content.kind !== 'completion') throw new Error('not a completion');
      expect(content.completion).toMatchObject({
        orderPaymentId: 'op of pay_1',
        word: 'paid',
        requestId: 'req-1',
        span: causeSpan,
      });
      expect(ageMs).toBeLessThan(10_000);
      expect(jsonEquals(content.completion.customAttributes, aPendingCompletion().completion.customAttributes)).toBe(true);
    });

    it('hands out nothing twice while its claim lasts, and again after that', async () => {
      await enqueue('ev_1');
      const first = await only();
      expect(await claim()).toEqual([]);
      expect(await claim(harness.other)).toEqual([]);
      await harness.pass(leaseMs - 1000);
      expect(await claim()).toEqual([]);
      await harness.pass(1000);
      const second = await only(harness.other);
      expect([second.id, second.lease === first.lease]).toEqual(['ev_1', false]);
    });

    it('lets a claim that has run out change nothing', async () => {
      await enqueue('ev_1');
      const late = await only();
      await harness.pass(leaseMs);
      const holder = await only();
      expect(await queue.delivered(late, attempt())).toBe(false);
      expect(await queue.retry(late, attempt(), { dueInMs: 0 })).toBe(false);
      expect(await queue.giveUp(late, attempt(), {})).toBe(false);
      expect(await queue.park(late, 'NO_INTEGRATION', 0)).toBe(false);
      expect(await harness.repository.find('ev_1')).toMatchObject({ state: 'ready', attemptCount: 0, attempts: [] });
      expect(await queue.delivered(holder, attempt())).toBe(true);
      expect(await queue.delivered(holder, attempt())).toBe(false);
      expect(await harness.repository.find('ev_1')).toMatchObject({ state: 'delivered', attemptCount: 1 });
    });

    it('keeps every attempt, and comes back when it is due', async () => {
      await enqueue('ev_1');
      const failed = attempt({ status: undefined, errorCode: 'UNEXPECTED_RESPONSE_ERROR', cause: 'timeout' });
      const claimedAt = performance.now();
      const first = await only();
      expect(await queue.retry(first, failed, { dueInMs: 5000 })).toBe(true);
      await harness.pass(4000);
      expect(await claim()).toEqual([]);
      await harness.pass(1000);
      const second = await only();
      expect(second.tries).toBe(1);
      const aged = second.ageMs - first.ageMs;
      expect(aged).toBeGreaterThanOrEqual(5000);
      // The database's time goes on while the test runs, however slow the machine is.
      expect(aged).toBeLessThan(5000 + (performance.now() - claimedAt) + 1000);
      await queue.delivered(second, attempt({ errorCode: 'NOTED' }));
      await harness.pass(10_000_000);
      expect(await claim()).toEqual([]);
      const record = await harness.repository.find('ev_1');
      expect(record).toMatchObject({ state: 'delivered', attemptCount: 2, attempts: [failed, attempt({ errorCode: 'NOTED' })] });
      expect(record).toHaveProperty('dueAt', undefined);
    });

    it('gives up for good, and shows it', async () => {
      await enqueue('ev_1');
      expect(await queue.giveUp(await only(), attempt({ status: 500 }), {})).toBe(true);
      await harness.pass(10_000_000);
      expect(await claim()).toEqual([]);
      expect(await harness.repository.find('ev_1')).toMatchObject({ state: 'failed', attempts: [attempt({ status: 500 })] });
    });

    it('parks without an attempt, says why, and comes back when it is due', async () => {
      await enqueue('ev_1');
      expect(await queue.park(await only(), 'FEATURE_DISABLED_IN_MINIAPP', 60_000)).toBe(true);
      expect(await harness.repository.find('ev_1')).toMatchObject({
        state: 'parked',
        parkedBy: 'FEATURE_DISABLED_IN_MINIAPP',
        attemptCount: 0,
      });
      await harness.pass(59_000);
      expect(await claim()).toEqual([]);
      await harness.pass(1000);
      await queue.delivered(await only(), attempt());
      expect(await harness.repository.find('ev_1')).toMatchObject({ state: 'delivered', parkedBy: undefined });
    });

    it('wakes the parked deliveries of a partner, and returns when something is due', async () => {
      const rest = () => queue.nextDue([]);
      expect(await rest()).toEqual({ waits: false, inMs: undefined });
      await enqueue('ev_1');
      await enqueue('ev_2', { integrationId: 'int_2' });
      expect((await rest()).inMs).toBeLessThanOrEqual(0);
      for (const due of await claim()) await queue.park(due, 'NO_INTEGRATION', 60_000);
      const { waits, inMs } = await rest();
      expect([waits, Math.round(inMs! / 10_000)]).toEqual([false, 6]);
      expect(await queue.wake({ clientId: 'host_2' }, 10)).toBe(0);
      expect(await queue.wake({ clientId: 'host_1', appId: 'app_2' }, 10)).toBe(0);
      expect(await queue.wake({ appId: 'app_1' }, 10)).toBe(1);
      expect(await harness.repository.find('ev_1')).toMatchObject({ state: 'ready', parkedBy: undefined });
      const due = await only();
      expect(due.id).toBe('ev_1');
      await queue.retry(due, attempt({ status: 404 }), { dueInMs: 30_000 });
      expect((await rest()).waits).toBe(true);
      expect((await queue.nextDue([due.queue])).inMs! - (await rest()).inMs!).toBeGreaterThan(20_000);
    });

    it('hands out only the first delivery of each ordering key', async () => {
      for (const id of ['ev_3', 'ev_1', 'ev_2']) await enqueue(id, { orderingKey: 'user-1' });
      await enqueue('ev_4');
      await enqueue('ev_5', { orderingKey: 'user-2' });
      await enqueue('ev_6', { orderingKey: 'user-1', receiver: 'miniapp' });
      await enqueue('ev_7', { orderingKey: 'user-1', integrationId: 'int_2' });
      const first = await claim();
      expect(idsOf(first).sort()).toEqual(['ev_3', 'ev_4', 'ev_5', 'ev_6', 'ev_7']);
      expect(idsOf(first.filter(({ inOrder }) => inOrder !== true))).toEqual(['ev_4']);
      const head = first.find(({ id }) => id === 'ev_3')!;
      await queue.retry(head, attempt({ status: 500 }), { dueInMs: 5000 });
      expect(await claim()).toEqual([]);
      await harness.pass(5000);
      await queue.giveUp(await only(), attempt({ status: 500 }), {});
      await queue.delivered(await only(), attempt());
      expect((await only()).id).toBe('ev_2');
    });

    it('hands out no more than the limit, the longest due first', async () => {
      for (const [i, id] of ['ev_1', 'ev_2', 'ev_3'].entries()) await enqueue(id, { at: harness.now() - 1000 * i });
      expect(idsOf(await claim(queue, 2)).sort()).toEqual(['ev_2', 'ev_3']);
      expect(idsOf(await claim(queue, 2))).toEqual(['ev_1']);
    });

    it('never hands out one delivery to two who ask at once', async () => {
      for (let i = 0; i < 40; i++) await enqueue(`ev_${i}`, i % 2 ? { orderingKey: `k${i % 10}` } : {});
      const claimed = await Promise.all(Array.from({ length: 10 }, (_, i) => claim(i % 2 ? queue : harness.other, 10)));
      const ids = claimed.flatMap(idsOf);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(25);
    });

    describe('an endpoint that fails', () => {
      const backoffMs = endpointQueueRules.probeAfterMs;
      const trouble = attempt({ status: 503 });
      const fail = async (due: DueDelivery, dueInMs = 600_000) =>
        queue.retry(
          due,
          { ...trouble, reason: due.reason },
          { dueInMs, trouble: { backoffMs: backoffMs, opensAfter: endpointQueueRules.opensAfter } },
        );
      /** Five failures in a row: each delivery is due again in ten minutes. */
      const close = async (): Promise<void> => {
        for (let i = 1; i <= endpointQueueRules.opensAfter; i++) await enqueue(`ev_${i}`);
        for (const due of await claim()) await fail(due);
      };

      it('is probed each 25 seconds by one attempt, though nothing is due', async () => {
        await close();
        await enqueue('ev_9');
        expect(await claim()).toEqual([]);
        await harness.pass(backoffMs);
        const due = await only();
        expect(due).toMatchObject({ id: 'ev_9', reason: 'schedule', trouble: { circuit: 'open', isFailing: true } });
        expect(await claim(harness.other)).toEqual([]);
        await fail(due, 3_600_000);
        await harness.pass(backoffMs);
        const probed = await only(harness.other);
        expect([probed.reason, probed.tries]).toEqual(['probe', 1]);
        await queue.retry(
          probed,
          { ...trouble, reason: 'probe' },
          { trouble: { backoffMs: backoffMs, opensAfter: endpointQueueRules.opensAfter } },
        );
        const { attempts } = (await harness.repository.find(probed.id))!;
        expect(attempts.map(({ reason }) => reason)).toEqual(['schedule', 'probe']);
      });

      it('is left alone for as long as it asks', async () => {
        await close();
        await harness.pass(backoffMs);
        await queue.retry(await only(), trouble, { trouble: { backoffMs: 300_000, opensAfter: endpointQueueRules.opensAfter } });
        await harness.pass(299_000);
        expect(await claim()).toEqual([]);
        await harness.pass(1000);
        await only();
      });

      it('has a closed circuit before its fifth failure, and releases all when it recovers', async () => {
        for (let i = 1; i < endpointQueueRules.opensAfter; i++) await enqueue(`ev_${i}`);
        for (const due of await claim()) await fail(due);
        await enqueue('ev_8');
        const due = await only();
        expect(due).toMatchObject({ id: 'ev_8', trouble: { circuit: 'closed', isFailing: true } });
        await queue.delivered(due, attempt(), 'recovers');
        const released = await claim();
        expect(released.map(({ reason }) => reason)).toEqual(['release', 'release', 'release', 'release']);
      });

      it('is half-open when it recovers, and gets as many attempts at once as the window allows', async () => {
        for (let i = 11; i <= 30; i++) await enqueue(`ev_${i}`, { at: harness.now() - 1000 });
        for (const due of await claim()) await fail(due);
        await harness.pass(backoffMs);
        const probe = await only();
        expect(await claim()).toEqual([]);
        await queue.delivered(probe, attempt({ reason: probe.reason }), 'recovers');
        const window = (count: number) => queue.claimDue({ ...claimOf(), capacity: capacityOf({ [probe.queue]: { window: count } }) });
        expect(await window(0)).toEqual([]);
        const first = await window(2);
        expect(first.map(({ trouble }) => trouble)).toEqual(
          [1, 2].map(() => expect.objectContaining({ circuit: 'half-open', isFailing: false })),
        );
        const others = await queue.claimDue({
          ...claimOf(),
          queues: [probe.queue],
          capacity: capacityOf({ [probe.queue]: { slots: 20, window: 20 } }),
        });
        expect(first.length + others.length).toBe(19);
        for (const due of [...first, ...others]) await queue.delivered(due, attempt({ reason: due.reason }));
        await harness.pass(endpointQueueRules.settledAfterMs);
        expect(await claim()).toEqual([]);
        await enqueue('ev_99');
        expect(await only()).toMatchObject({ id: 'ev_99', trouble: undefined, reason: 'schedule' });
      });

      it('gets a closed circuit and all its slots when it keeps up', async () => {
        await close();
        await harness.pass(backoffMs);
        await queue.delivered(await only(), attempt({ reason: 'probe' }), 'recovers');
        const narrow = () => queue.claimDue({ ...claimOf(), capacity: capacityOf({ [anOutboxEvent().queue]: { window: 1 } }) });
        const [one] = await narrow();
        await queue.delivered(one!, attempt({ reason: 'release' }), 'keeps-up');
        const rest = await narrow();
        expect(rest.map(({ reason, trouble }) => [reason, trouble?.circuit])).toEqual(rest.map(() => ['release', 'closed']));
        expect(rest).toHaveLength(endpointQueueRules.opensAfter - 2);
      });

      it('stays failing after a single receipt, and opens again after five more failures', async () => {
        for (let i = 1; i <= endpointQueueRules.opensAfter + 1; i++) await enqueue(`ev_${i}`);
        const due = await claim();
        for (const one of due.slice(0, 4)) await fail(one);
        await queue.delivered(due[4]!, attempt(), 'answers');
        await fail(due[5]!);
        await enqueue('ev_8');
        expect(await only()).toMatchObject({ id: 'ev_8', trouble: { circuit: 'closed', isFailing: true } });
      });

      it('stays closed when failures come beside receipts, but opens at once on request', async () => {
        for (let i = 1; i <= endpointQueueRules.opensAfter + 1; i++) await enqueue(`ev_${i}`);
        const due = await claim();
        const failing = (one: DueDelivery, opensAfter: number, backoffMs: number) =>
          queue.retry(one, trouble, { dueInMs: 600_000, trouble: { backoffMs: backoffMs, opensAfter } });
        for (const one of due.slice(1)) await failing(one, 2 ** 31 - 1, backoffMs);
        await enqueue('ev_8');
        const [next] = await claim();
        expect(next).toMatchObject({ id: 'ev_8' });
        await failing(due[0]!, 1, 3000);
        await enqueue('ev_9');
        expect(await claim()).toEqual([]);
        await harness.pass(3000);
        expect(await claim()).toHaveLength(1);
      });

      it('is probed with another delivery each time, so that one bad delivery cannot hide it', async () => {
        for (let i = 1; i <= endpointQueueRules.opensAfter; i++) await enqueue(`ev_${i}`, { at: harness.now() - 1000 * (10 - i) });
        for (const due of await claim()) await fail(due);
        const probed = new Set<string>();
        for (let i = 0; i < endpointQueueRules.opensAfter; i++) {
          await harness.pass(backoffMs);
          const probe = await only();
          probed.add(probe.id);
          await fail({ ...probe, reason: 'probe' }, 600_000 + i);
        }
        expect(probed.size).toBe(endpointQueueRules.opensAfter);
        await harness.pass(backoffMs);
        await queue.delivered(await only(), attempt({ reason: 'probe' }), 'recovers');
        const rest = await claim();
        expect(rest).toHaveLength(endpointQueueRules.opensAfter - 1);
        await harness.pass(10);
        for (const due of rest.slice(1)) await queue.delivered(due, attempt({ reason: 'release' }));
        await queue.retry(
          rest[0]!,
          { ...trouble, reason: 'release' },
          { trouble: { backoffMs, opensAfter: endpointQueueRules.opensAfter } },
        );
        for (let i = 0; i < 3; i++) {
          await harness.pass(endpointQueueRules.settledAfterMs);
          expect(await claim()).toEqual([]);
        }
      });

      it('is probed again at once if the first delivery is switched off', async () => {
        await close();
        await harness.pass(backoffMs);
        const off = await only();
        await queue.park(off, 'NO_INTEGRATION', 3_600_000);
        const next = await only();
        expect(next.id).not.toBe(off.id);
      });

      it('takes no slot beyond its own while it recovers or the operator asks', async () => {
        await close();
        await harness.pass(backoffMs);
        const probe = await only();
        await queue.delivered(probe, attempt(), 'recovers');
        const with_ = (slots: number) => queue.claimDue({ ...claimOf(), capacity: capacityOf({ [probe.queue]: { slots } }) });
        expect(await with_(0)).toEqual([]);
        expect(await with_(3)).toHaveLength(3);
        const resendAudit = () => ({ actor: 'operator', action: 'delivery.resent', subject: 's', requestId: 'r', at: 1 });
        await harness.repository.resend(probe.id, resendAudit);
        expect(await with_(0)).toEqual([]);
        expect(idsOf(await claim())).toContain(probe.id);
      });

      it('is open again where it fails while it recovers', async () => {
        await close();
        await harness.pass(backoffMs);
        await queue.delivered(await only(), attempt(), 'recovers');
        for (let i = 1; i <= endpointQueueRules.opensAfter; i++) await enqueue(`again_${i}`);
        const batch = await claim();
        expect(batch).toHaveLength(9);
        for (const due of batch) await fail(due);
        await harness.pass(endpointQueueRules.settledAfterMs);
        expect(await claim()).toEqual([]);
        await harness.pass(backoffMs);
        expect(await claim()).toHaveLength(1);
      });

      it('holds up no other, and takes no more slots than one may', async () => {
        await close();
        for (let i = 1; i <= endpointQueueRules.slots + 3; i++) await enqueue(`mini_${i}`, { receiver: 'miniapp' });
        expect(await claim()).toHaveLength(endpointQueueRules.slots);
        const miniapps = anOutboxEvent('', { receiver: 'miniapp' }).queue;
        expect(await queue.claimDue({ ...claimOf(), capacity: capacityOf({ [miniapps]: { slots: 1 } }) })).toHaveLength(1);
        expect(await queue.claimDue({ ...claimOf(), capacity: capacityOf({ [miniapps]: { slots: 0 } }) })).toEqual([]);
        expect(await queue.claimDue({ ...claimOf(), queues: ['another'] })).toEqual([]);
        expect(await queue.claimDue({ ...claimOf(), queues: [miniapps] })).toHaveLength(2);
      });

      it('keeps reserved slots for endpoints that answer, and gives an unknown one a single slot', async () => {
        const queues = ['int_1', 'int_2', 'int_3'].map((integrationId) => anOutboxEvent('', { integrationId }).queue);
        for (const [i, integrationId] of ['int_1', 'int_2', 'int_3'].entries())
          for (let n = 0; n < 4; n++) await enqueue(`ev_${i}_${n}`, { integrationId, at: harness.now() - 1000 * (10 - i) });
        const known = { [queues[0]!]: { isUnknown: false }, [queues[2]!]: { isProven: true } };
        const counts = async (unproven: number) => {
          const due = await queue.claimDue({ ...claimOf(), capacity: capacityOf(known, unproven) });
          return queues.map((queue) => due.filter((one) => one.queue === queue).length);
        };
        expect(await counts(0)).toEqual([0, 1, 4]);
        expect(await counts(5)).toEqual([4, 1, 0]);
      });

      it("gets the operator's resends at once", async () => {
        await close();
        const audit = { actor: 'operator', action: 'delivery.resent', subject: 's', requestId: 'r', at: 1 };
        await harness.repository.resend('ev_2', () => audit);
        const requested = await only();
        expect(requested).toMatchObject({ id: 'ev_2', reason: 'operator', tries: 1 });
        await fail(requested);
        // The schedule goes on as before: due when it was due, no step used up.
        const { attempts, dueAt } = (await harness.repository.find('ev_2'))!;
        expect(attempts.map(({ reason }) => reason)).toEqual(['schedule', 'operator']);
        expect(dueAt! - harness.now()).toBeLessThanOrEqual(600_000);
      });

      it('gives up only its own deliveries that have waited too long', async () => {
        await close();
        await enqueue('ev_8', { receiver: 'miniapp' });
        const overdueByMs = -3_600_000;
        expect(await queue.giveUpOverdue({ waitingForMs: 60_000, overdueByMs })).toBe(0);
        expect(await queue.giveUpOverdue({ waitingForMs: -1000, overdueByMs: 0 })).toBe(0);
        expect(await queue.giveUpOverdue({ waitingForMs: -1000, overdueByMs })).toBe(endpointQueueRules.opensAfter);
        expect(await harness.repository.find('ev_1')).toMatchObject({ state: 'failed' });
        expect(await harness.repository.find('ev_8')).toMatchObject({ state: 'ready' });
      });
    });

    it('queues an event once', async () => {
      await enqueue('ev_1');
      await expect(enqueue('ev_1')).rejects.toThrow();
    });

    it.each(notIds)('never accepts %s as an id or a claim', async (_what, id) => {
      await enqueue('ev_1');
      const held = await only();
      const missing = id as string;
      for (const wrong of [
        { ...held, id: missing },
        { ...held, lease: missing },
      ]) {
        await expect(queue.delivered(wrong, attempt())).rejects.toThrow();
        await expect(queue.retry(wrong, attempt(), { dueInMs: 0 })).rejects.toThrow();
        await expect(queue.giveUp(wrong, attempt(), {})).rejects.toThrow();
        await expect(queue.park(wrong, 'X', 0)).rejects.toThrow();
      }
      await expect(enqueue(missing)).rejects.toThrow();
      await expect(enqueue('ev_2', { integrationId: missing })).rejects.toThrow();
      await expect(harness.repository.find(missing)).rejects.toThrow();
      expect(await queue.delivered(held, attempt())).toBe(true);
    });
  });
}
