import type { AuditEntry } from '../../../src/domain/partners/ports';
import type { DeliveryFilter } from '../../../src/domain/deliveries/ports';
import { anOutboxEvent, claimOf } from '../../support/outbox-events';
import { attempt, idsOf, type DeliveryHarness } from './delivery-queue.contract';

export interface DeliveryRepositoryHarness extends DeliveryHarness {
  /** The integration int_1, of host_1 and app_1, is there from the start. */
  audited(): Promise<readonly Pick<AuditEntry, 'action' | 'subject'>[]>;
}

/** What the operator may rely on, whoever keeps the deliveries. */
export function deliveryRepositoryContract(name: string, open: () => Promise<DeliveryRepositoryHarness>): void {
  describe(`DeliveryRepository: ${name}`, () => {
    let harness: DeliveryRepositoryHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const enqueue = (id: string, more: Parameters<typeof anOutboxEvent>[1] = {}) => harness.outbox.add(anOutboxEvent(id, more));
    const claim = () => harness.queue.claimDue(claimOf());
    const list = async (filter: DeliveryFilter = {}, page = { limit: 10 }) =>
      (await harness.repository.list(filter, page)).map(({ id }) => id);
    const audit = (): AuditEntry => ({ actor: 'operator', action: 'delivery.resent', subject: 'delivery:ev_1', requestId: 'r', at: 1 });

    it('shows each pending delivery, its receiver and its age', async () => {
      const at = harness.now();
      await enqueue('ev_1', { at });
      const record = {
        ...{ id: 'ev_1', integrationId: 'int_1', pair: { clientId: 'host_1', appId: 'app_1' }, kind: 'event', receiver: 'hostapp' },
        queue: 'hostapp:of int_1:event',
        ...{ state: 'ready', parkedBy: undefined, attemptCount: 0, dueAt: at, createdAt: at, endedAt: undefined, resentAt: undefined },
        ...{ last: undefined, abortedReason: undefined },
      };
      expect(await harness.repository.list({}, { limit: 10 })).toEqual([record]);
      expect(await harness.repository.find('ev_1')).toEqual({ ...record, tries: 0, attempts: [] });
      expect(await harness.repository.find('ev_2')).toBeUndefined();
    });

    it('lists newest first, in pages, by every filter', async () => {
      await enqueue('ev_1');
      await enqueue('ev_2', { receiver: 'miniapp', integrationId: 'int_2' });
      await harness.completes('pay_1');
      await enqueue('ev_3', { at: harness.now() + 60_000 });
      const all = ['ev_3', 'pay_1', 'ev_2', 'ev_1'];
      expect(await list()).toEqual(all);
      expect(await list({}, { limit: 2 })).toEqual(all.slice(0, 2));
      expect((await harness.repository.list({}, { limit: 2, after: 'pay_1' })).map(({ id }) => id)).toEqual(all.slice(2));
      expect(await harness.repository.list({}, { limit: 2, after: 'unknown' })).toEqual([]);
      expect(await list({ id: 'ev_2' })).toEqual(['ev_2']);
      expect(await list({ kind: 'completion' })).toEqual(['pay_1']);
      expect(await list({ clientId: 'host_1', appId: 'app_1' })).toEqual(['ev_3', 'pay_1', 'ev_1']);
      expect(await list({ clientId: 'host_2' })).toEqual([]);
      expect(await list({ from: harness.now() + 30_000 })).toEqual(['ev_3']);
      expect(await list({ to: harness.now() + 30_000 })).toEqual(all.slice(1));
      const due = await claim();
      const held = (id: string) => due.find((one) => one.id === id)!;
      await harness.queue.delivered(held('ev_1'), attempt());
      await harness.queue.giveUp(held('ev_2'), attempt(), {});
      await harness.queue.park(held('pay_1'), 'NO_INTEGRATION', 0);
      const states = ['ready', 'parked', 'delivered', 'failed'] as const;
      expect(await Promise.all(states.map((state) => list({ state })))).toEqual([['ev_3'], ['pay_1'], ['ev_1'], ['ev_2']]);
    });

    it.each(['delivered', 'failed', 'parked'] as const)('queues a delivery that is %s again, on a new schedule, audited', async (state) => {
      await enqueue('ev_1');
      const [first] = await claim();
      if (state === 'delivered') await harness.queue.delivered(first!, attempt());
      if (state === 'failed') await harness.queue.giveUp(first!, attempt(), {});
      if (state === 'parked') await harness.queue.park(first!, 'NO_INTEGRATION', 3_600_000);
      await harness.pass(60_000);
      const seen: string[] = [];
      const resent = await harness.repository.resend('ev_1', (before) => (seen.push(before.state), audit()));
      expect(resent).toMatchObject({ id: 'ev_1', state: 'ready', parkedBy: undefined, dueAt: resent!.resentAt, endedAt: undefined });
      expect(Math.abs(resent!.resentAt! - harness.now())).toBeLessThan(10_000);
      expect(seen).toEqual([state]);
      expect(await harness.audited()).toEqual([expect.objectContaining({ action: 'delivery.resent', subject: 'delivery:ev_1' })]);
      const [again] = await claim();
      expect(again).toMatchObject({ id: 'ev_1', tries: 0, content: first!.content });
      expect(again!.ageMs).toBeLessThan(10_000);
      expect(await harness.queue.delivered(again!, attempt())).toBe(true);
      expect(await harness.repository.find('ev_1')).toMatchObject({ attemptCount: state === 'parked' ? 1 : 2 });
    });

    it('lets no second attempt begin beside one in flight', async () => {
      await enqueue('ev_1');
      const [held] = await claim();
      await harness.repository.resend('ev_1', audit);
      expect(idsOf(await claim())).toEqual([]);
      expect(await harness.queue.delivered(held!, attempt())).toBe(true);
      expect(idsOf(await claim())).toEqual([]);
    });

    it('accepts a resend of a delivery in an ordered queue while the one before ends', async () => {
      const keys = Array.from({ length: 12 }, (_, i) => i);
      for (const i of keys) {
        await enqueue(`a_${i}`, { orderingKey: `k${i}` });
        await enqueue(`b_${i}`, { orderingKey: `k${i}` });
      }
      const heads = await claim();
      const ended = heads.map((head) => harness.queue.delivered(head, attempt()));
      const resends = keys.map((i) => harness.repository.resend(`b_${i}`, audit));
      expect(await Promise.all(ended)).toEqual(keys.map(() => true));
      await Promise.all(resends);
      expect((await claim()).map(({ id }) => id).sort()).toEqual(keys.map((i) => `b_${i}`).sort());
    });

    it('queues nothing again that is not there, and leaves no audit row', async () => {
      expect(await harness.repository.resend('ev_1', audit)).toBeUndefined();
      expect(await harness.audited()).toEqual([]);
    });
  });
}
