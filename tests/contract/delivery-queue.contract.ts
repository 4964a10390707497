import type { Attempt, DueDelivery } from '../../src/domain/deliveries/delivery';
import type { DeliveryBook, DeliveryQueue, EventOutbox } from '../../src/domain/deliveries/ports';
import { jsonEquals, printJson } from '../../src/domain/shared/json';
import { anOwedCompletion, anOwedEvent, owedBody } from '../support/owed';
import { notIds } from './each-database';

export interface DeliveryHarness {
  readonly queue: DeliveryQueue;
  readonly outbox: EventOutbox;
  readonly book: DeliveryBook;
  /** Another instance's queue over the same storage. */
  readonly other: DeliveryQueue;
  /** Settles a payment, so that its completion is owed. */
  completes(id: string): Promise<void>;
  /** Lets time pass for the queue. */
  pass(ms: number): Promise<void>;
  /** The queue's present time, in milliseconds since the epoch. */
  now(): number;
}

export const leaseMs = 20_000;
export const attempt = (more: Partial<Attempt> = {}): Attempt => ({ at: Date.UTC(2026, 0, 1, 12), ms: 12, status: 200, ...more });
export const idsOf = (due: readonly DueDelivery[]): string[] => due.map(({ id }) => id);

/** What delivering may rely on, whoever keeps what is owed. */
export function deliveryQueueContract(name: string, open: () => Promise<DeliveryHarness>): void {
  describe(`DeliveryQueue: ${name}`, () => {
    let harness: DeliveryHarness;
    let queue: DeliveryQueue;
    beforeEach(async () => {
      harness = await open();
      ({ queue } = harness);
    });
    const claim = (on = queue, limit = 100) => on.claimDue({ limit, leaseMs });
    const owe = (id: string, more: Parameters<typeof anOwedEvent>[1] = {}) =>
      harness.outbox.owe(anOwedEvent(id, { at: harness.now(), ...more }));
    const only = async (on = queue): Promise<DueDelivery> => {
      const due = await claim(on);
      expect(due).toHaveLength(1);
      return due[0]!;
    };

    it('hands out an event whole, with the bytes that were owed', async () => {
      await owe('ev_1', { receiver: 'miniapp' });
      const due = await only();
      expect(due).toMatchObject({
        id: 'ev_1',
        integrationId: 'int_1',
        tries: 0,
        owed: { kind: 'event', receiver: 'miniapp', requestId: 'req-1' },
      });
      expect(due.lease).not.toBe('');
      expect(due.owed.kind === 'event' && printJson(due.owed.body)).toBe(owedBody);
    });

    it('hands out a completion whole', async () => {
      await harness.completes('pay_1');
      const { owed, owedSince } = await only();
      if (owed.kind !== 'completion') throw new Error('not a completion');
      expect(owed.completion).toMatchObject({ orderPaymentId: 'op of pay_1', word: 'paid', requestId: 'req-1', at: owedSince });
      expect(jsonEquals(owed.completion.customAttributes, anOwedCompletion().completion.customAttributes)).toBe(true);
    });

    it('hands out nothing twice while its claim lasts, and again afterwards, under another claim', async () => {
      await owe('ev_1');
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
      await owe('ev_1');
      const late = await only();
      await harness.pass(leaseMs);
      const holder = await only();
      expect(await queue.delivered(late, attempt())).toBe(false);
      expect(await queue.retry(late, attempt(), harness.now())).toBe(false);
      expect(await queue.giveUp(late, attempt())).toBe(false);
      expect(await queue.park(late, 'NO_INTEGRATION', harness.now())).toBe(false);
      expect(await harness.book.find('ev_1')).toMatchObject({ state: 'ready', attemptCount: 0, attempts: [] });
      expect(await queue.delivered(holder, attempt())).toBe(true);
      expect(await queue.delivered(holder, attempt())).toBe(false);
      expect(await harness.book.find('ev_1')).toMatchObject({ state: 'delivered', attemptCount: 1 });
    });

    it('keeps every attempt, and comes back when it is due', async () => {
      await owe('ev_1');
      const failed = attempt({ status: undefined, errorCode: 'UNEXPECTED_RESPONSE_ERROR', cause: 'timeout' });
      const first = await only();
      expect(await queue.retry(first, failed, harness.now() + 5000)).toBe(true);
      await harness.pass(4000);
      expect(await claim()).toEqual([]);
      await harness.pass(1000);
      const second = await only();
      expect([second.tries, second.owedSince]).toEqual([1, first.owedSince]);
      await queue.delivered(second, attempt({ errorCode: 'NOTED' }));
      await harness.pass(10_000_000);
      expect(await claim()).toEqual([]);
      const record = await harness.book.find('ev_1');
      expect(record).toMatchObject({ state: 'delivered', attemptCount: 2, attempts: [failed, attempt({ errorCode: 'NOTED' })] });
      expect(record).toHaveProperty('dueAt', undefined);
    });

    it('gives up for good, and shows it', async () => {
      await owe('ev_1');
      expect(await queue.giveUp(await only(), attempt({ status: 500 }))).toBe(true);
      await harness.pass(10_000_000);
      expect(await claim()).toEqual([]);
      expect(await harness.book.find('ev_1')).toMatchObject({ state: 'failed', attempts: [attempt({ status: 500 })] });
    });

    it('parks without an attempt, says why, and comes back when it is due', async () => {
      await owe('ev_1');
      expect(await queue.park(await only(), 'FEATURE_DISABLED_IN_MINIAPP', harness.now() + 60_000)).toBe(true);
      expect(await harness.book.find('ev_1')).toMatchObject({ state: 'parked', parkedBy: 'FEATURE_DISABLED_IN_MINIAPP', attemptCount: 0 });
      await harness.pass(59_000);
      expect(await claim()).toEqual([]);
      await harness.pass(1000);
      await queue.delivered(await only(), attempt());
      expect(await harness.book.find('ev_1')).toMatchObject({ state: 'delivered', parkedBy: undefined });
    });

    it('hands out of one key the first alone, in the order in which they were owed', async () => {
      for (const id of ['ev_3', 'ev_1', 'ev_2']) await owe(id, { orderingKey: 'user-1' });
      await owe('ev_4');
      await owe('ev_5', { orderingKey: 'user-2' });
      await owe('ev_6', { orderingKey: 'user-1', receiver: 'miniapp' });
      await owe('ev_7', { orderingKey: 'user-1', integrationId: 'int_2' });
      const first = await claim();
      expect(idsOf(first).sort()).toEqual(['ev_3', 'ev_4', 'ev_5', 'ev_6', 'ev_7']);
      const head = first.find(({ id }) => id === 'ev_3')!;
      await queue.retry(head, attempt({ status: 500 }), harness.now() + 5000);
      expect(await claim()).toEqual([]);
      await harness.pass(5000);
      await queue.giveUp(await only(), attempt({ status: 500 }));
      await queue.delivered(await only(), attempt());
      expect((await only()).id).toBe('ev_2');
    });

    it('hands out no more than asked for, what is due longest first', async () => {
      for (const [i, id] of ['ev_1', 'ev_2', 'ev_3'].entries()) await owe(id, { at: harness.now() - 1000 * i });
      expect(idsOf(await claim(queue, 2)).sort()).toEqual(['ev_2', 'ev_3']);
      expect(idsOf(await claim(queue, 2))).toEqual(['ev_1']);
    });

    it('never hands out one delivery to two who ask at once', async () => {
      for (let i = 0; i < 40; i++) await owe(`ev_${i}`, i % 2 ? { orderingKey: `k${i % 10}` } : {});
      const claimed = await Promise.all(Array.from({ length: 10 }, (_, i) => claim(i % 2 ? queue : harness.other, 10)));
      const ids = claimed.flatMap(idsOf);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(25);
    });

    it('owes an event once', async () => {
      await owe('ev_1');
      await expect(owe('ev_1')).rejects.toThrow();
    });

    it.each(notIds)('never takes %s for an id or a claim, though a delivery is there', async (_what, id) => {
      await owe('ev_1');
      const held = await only();
      const missing = id as string;
      for (const wrong of [
        { ...held, id: missing },
        { ...held, lease: missing },
      ]) {
        await expect(queue.delivered(wrong, attempt())).rejects.toThrow();
        await expect(queue.retry(wrong, attempt(), 0)).rejects.toThrow();
        await expect(queue.giveUp(wrong, attempt())).rejects.toThrow();
        await expect(queue.park(wrong, 'X', 0)).rejects.toThrow();
      }
      await expect(owe(missing)).rejects.toThrow();
      await expect(owe('ev_2', { integrationId: missing })).rejects.toThrow();
      await expect(harness.book.find(missing)).rejects.toThrow();
      expect(await queue.delivered(held, attempt())).toBe(true);
    });
  });
}
