import { attemptEdges, backlogPoints, type DeliveryFigureReader } from '../../../src/domain/deliveries/delivery-figures';
import type { DeliveryQueue, EventOutboxStore } from '../../../src/domain/deliveries/ports';
import { anOutboxEvent, claimOf } from '../../support/outbox-events';
import { attempt } from './delivery-queue.contract';

export interface DeliveryFigureReaderHarness {
  readonly figures: DeliveryFigureReader;
  readonly outbox: EventOutboxStore;
  readonly queue: DeliveryQueue;
  /** The queue's present time, in milliseconds since the epoch. */
  now(): number;
}

const hourMs = 3_600_000;

/** Deliveries are counted exactly. The integrations int_1 and int_2 of host_1, int_3 of host_2 are there from the start. */
export function deliveryFigureReaderContract(name: string, open: () => Promise<DeliveryFigureReaderHarness>): void {
  describe(`DeliveryFigureReader: ${name}`, () => {
    let harness: DeliveryFigureReaderHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const enqueue = (id: string, more: Parameters<typeof anOutboxEvent>[1] = {}) => harness.outbox.add(anOutboxEvent(id, more));
    const claimed = async () => {
      const due = await harness.queue.claimDue(claimOf());
      return (id: string) => due.find((one) => one.id === id)!;
    };
    const range = (more: object = {}) => ({ from: harness.now() - 24 * hourMs, to: harness.now() + hourMs, ...more });
    const endpoints = (more: object = {}) => harness.figures.endpoints(range(more));

    it('counts nothing where there is nothing', async () => {
      expect(await endpoints()).toEqual([]);
      const { depth, oldest, line } = await harness.figures.backlog(range({ to: harness.now() }));
      expect([depth, oldest, line.length]).toEqual([0, undefined, backlogPoints]);
      expect(line.every((point) => point.depth === 0)).toBe(true);
    });

    it('counts received and given-up deliveries of each endpoint, by attempt', async () => {
      const queue = 'hostapp:of int_1:event';
      for (const id of ['ev_1', 'ev_2', 'ev_3', 'ev_4']) await enqueue(id);
      await enqueue('ev_5', { receiver: 'miniapp' });
      const held = await claimed();
      await harness.queue.delivered(held('ev_1'), attempt());
      await harness.queue.giveUp(held('ev_2'), attempt({ status: 500 }), {});
      await harness.queue.retry(held('ev_3'), attempt({ status: 500 }), { dueInMs: -1 });
      await harness.queue.delivered((await claimed())('ev_3'), attempt());
      const bars = (...counts: number[]) => attemptEdges.map((_, i) => counts[i] ?? 0);
      expect(await endpoints()).toEqual([
        { queue, count: 4, delivered: 2, failed: 1, firstTry: 1, attempted: 3, byAttempts: bars(2, 1) },
        { queue: 'miniapp:of int_1:event', count: 1, delivered: 0, failed: 0, firstTry: 0, attempted: 0, byAttempts: bars() },
      ]);
    });

    it("counts the partner's deliveries that were created in the range", async () => {
      const now = harness.now();
      await enqueue('ev_1', { at: now - 2 * hourMs });
      await enqueue('ev_2', { at: now - hourMs, integrationId: 'int_2' });
      await enqueue('ev_3', { at: now, integrationId: 'int_3' });
      const count = async (more: object) => (await endpoints(more)).reduce((all, one) => all + one.count, 0);
      expect(await count({})).toBe(3);
      expect(await count({ from: now - 2 * hourMs, to: now })).toBe(2);
      expect(await count({ from: now - 2 * hourMs + 1 })).toBe(2);
      expect(await count({ clientId: 'host_1' })).toBe(2);
      expect(await count({ appId: 'app_1' })).toBe(2);
      expect(await count({ clientId: 'host_2', appId: 'app_2' })).toBe(0);
    });

    it('computes the size of the queue from created and ended deliveries', async () => {
      const now = harness.now();
      // One of before the range, and two within it.
      await enqueue('ev_1', { at: now - 30 * hourMs });
      await enqueue('ev_2', { at: now - 12 * hourMs });
      await enqueue('ev_3', { at: now - 6 * hourMs, integrationId: 'int_3' });
      const backlog = (more: object = {}) => harness.figures.backlog({ from: now - 24 * hourMs, to: now, ...more });
      const depths = async () => (await backlog()).line.map(({ depth }) => depth);
      const stepped = (...heights: readonly (readonly [number, number])[]) =>
        heights.flatMap(([many, depth]) => Array<number>(many).fill(depth));
      expect(await backlog()).toMatchObject({ depth: 3, oldest: now - 30 * hourMs });
      expect(await depths()).toEqual(stepped([30, 1], [15, 2], [15, 3]));
      expect(await backlog({ clientId: 'host_2' })).toMatchObject({ depth: 1, oldest: now - 6 * hourMs });
      await harness.queue.delivered((await claimed())('ev_1'), attempt());
      const after = await harness.figures.backlog({ from: now - 24 * hourMs, to: harness.now() + 1 });
      expect([after.depth, after.oldest]).toEqual([2, now - 12 * hourMs]);
      expect(after.line.slice(0, 25).map(({ depth }) => depth)).toEqual(stepped([25, 1]));
      expect(after.line.at(-1)).toMatchObject({ depth: 2 });
    });
  });
}
