import { endpointQueueRules } from '../../../src/domain/deliveries/endpoint-queue';
import type { EndpointQueueRepository, ResendRepository } from '../../../src/domain/deliveries/ports';
import { resendRules, type ResendFilter } from '../../../src/domain/deliveries/resend';
import type { AuditEntry } from '../../../src/domain/partners/ports';
import { anOutboxEvent, claimOf } from '../../support/outbox-events';
import type { DeliveryRepositoryHarness } from './delivery-repository.contract';
import { attempt, idsOf } from './delivery-queue.contract';

export interface ResendHarness extends DeliveryRepositoryHarness {
  readonly resends: ResendRepository;
  readonly queues: EndpointQueueRepository;
}

const audit = (action = 'resend.started'): AuditEntry => ({ actor: 'operator', action, subject: 'resend:r_1', requestId: 'r', at: 1 });

/** What the operator may rely on who wants many deliveries again, whoever keeps them. */
export function resendRepositoryContract(name: string, open: () => Promise<ResendHarness>): void {
  describe(`ResendRepository: ${name}`, () => {
    let harness: ResendHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const enqueue = (id: string, more: Parameters<typeof anOutboxEvent>[1] = {}) => harness.outbox.add(anOutboxEvent(id, more));
    const claim = () => harness.queue.claimDue(claimOf());
    const failAll = async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) await enqueue(id);
      for (const due of await claim()) await harness.queue.giveUp(due, attempt({ status: 404 }), {});
    };
    const start = (filter: ResendFilter, perSecond = 2, id = 'r_1') => harness.resends.start({ id, filter, perSecond }, () => audit());
    const find = async (id: string) => (await harness.repository.find(id))!;
    const audited = async () => (await harness.audited()).map(({ action }) => action);

    it('counts what a filter means, and changes nothing', async () => {
      await failAll(['ev_1', 'ev_2']);
      await enqueue('ev_3', { receiver: 'miniapp' });
      await harness.completes('pay_1');
      const preview = (filter: ResendFilter) => harness.resends.preview(filter);
      expect(await preview({ state: 'failed' })).toEqual({ count: 2, ids: ['ev_1', 'ev_2'] });
      expect(await preview({ missingSince: harness.now() - 60_000 })).toEqual({ count: 4, ids: ['ev_1', 'ev_2', 'ev_3', 'pay_1'] });
      expect(await preview({ missingSince: harness.now() + 60_000 })).toEqual({ count: 0, ids: [] });
      expect(await preview({ failedSince: harness.now() - 60_000, clientId: 'host_1', appId: 'app_1' })).toMatchObject({ count: 2 });
      expect(await preview({ failedSince: harness.now() + 60_000 })).toMatchObject({ count: 0 });
      expect(await preview({ state: 'failed', clientId: 'host_2' })).toMatchObject({ count: 0 });
      expect(await preview({ state: 'ready', kind: 'completion' })).toMatchObject({ count: 1 });
      expect(await preview({ state: 'failed', from: harness.now() + 60_000 })).toMatchObject({ count: 0 });
      expect(await preview({ state: 'failed', to: harness.now() + 60_000 })).toMatchObject({ count: 2 });
      expect(await find('ev_1')).toMatchObject({ state: 'failed' });
      expect(await audited()).toEqual([]);
    });

    it('queues a fixed number a second, oldest first, and shows its progress', async () => {
      await failAll(['ev_1', 'ev_2', 'ev_3', 'ev_4', 'ev_5']);
      const begun = await start({ state: 'failed' });
      expect(begun).toMatchObject({ id: 'r_1', state: 'running', count: 5, perSecond: 2, filter: { state: 'failed' } });
      expect(await audited()).toEqual(['resend.started']);
      expect(await claim()).toEqual([]);
      expect([await harness.resends.step(), await harness.resends.step()]).toEqual([1, 0]);
      const first = await claim();
      expect([idsOf(first).sort(), first.map(({ reason, tries }) => [reason, tries])]).toEqual([
        ['ev_1', 'ev_2'],
        [
          ['operator', 0],
          ['operator', 0],
        ],
      ]);
      await harness.queue.delivered(first[0]!, attempt({ reason: 'operator' }));
      await harness.queue.retry(first[1]!, attempt({ reason: 'operator', status: 500 }), { dueInMs: 5000 });
      expect(await harness.resends.find('r_1')).toMatchObject({ state: 'running', waiting: 3, delivered: 1, failed: 1 });
      for (let i = 0; i < 2; i++) {
        await harness.pass(resendRules.stepMs);
        expect(await harness.resends.step()).toBe(1);
      }
      expect(await harness.resends.find('r_1')).toMatchObject({ state: 'done', waiting: 3, delivered: 1, failed: 1 });
      expect(idsOf(await claim())).toHaveLength(3);
    });

    it('keeps the schedule of a delivery that it resends', async () => {
      await enqueue('ev_1');
      const [held] = await claim();
      await harness.queue.retry(held!, attempt({ status: 404 }), { dueInMs: 600_000 });
      const { dueAt } = await find('ev_1');
      await start({ state: 'ready' });
      await harness.resends.step();
      const [claimed] = await claim();
      expect(claimed).toMatchObject({ reason: 'operator', tries: 1 });
      await harness.queue.retry(claimed!, attempt({ reason: 'operator', status: 404 }), { dueInMs: 5000 });
      expect((await find('ev_1')).dueAt).toBe(dueAt);
    });

    it('skips deliveries that were received meanwhile, unless they were selected as such', async () => {
      await enqueue('ev_1');
      await start({ state: 'ready' });
      await harness.queue.delivered((await claim())[0]!, attempt());
      await harness.resends.step();
      expect(await claim()).toEqual([]);
      expect(await harness.resends.find('r_1')).toMatchObject({ state: 'done', delivered: 1, waiting: 0 });
      await start({ state: 'delivered' }, 2, 'r_2');
      await harness.resends.step();
      expect(idsOf(await claim())).toEqual(['ev_1']);
      expect(await harness.resends.find('r_2')).toMatchObject({ delivered: 0, waiting: 1 });
    });

    it('waits for an endpoint that is closed, and is not lost there', async () => {
      for (let i = 1; i <= endpointQueueRules.opensAfter; i++) await enqueue(`ev_${i}`);
      const trouble = { backoffMs: endpointQueueRules.probeAfterMs, opensAfter: endpointQueueRules.opensAfter };
      for (const due of await claim()) await harness.queue.retry(due, attempt({ status: 503 }), { dueInMs: 60_000, trouble });
      await start({ state: 'ready' }, 100);
      await harness.resends.step();
      expect(await claim()).toEqual([]);
      await harness.pass(endpointQueueRules.probeAfterMs);
      const [probed] = await claim();
      await harness.queue.delivered(probed!, attempt({ reason: 'operator' }), 'recovers');
      expect((await claim()).map(({ reason }) => reason)).toEqual(Array(endpointQueueRules.opensAfter - 1).fill('operator'));
    });

    it('restores deliveries that were not attempted when it is cancelled', async () => {
      await failAll(['ev_1', 'ev_2', 'ev_3']);
      const before = await Promise.all(['ev_1', 'ev_2', 'ev_3'].map(find));
      await start({ state: 'failed' });
      await harness.resends.step();
      expect(await find('ev_2')).toMatchObject({ state: 'ready' });
      const seen: unknown[] = [];
      const cancelled = await harness.resends.cancel('r_1', ({ state, waiting }) => {
        seen.push([state, waiting]);
        return audit('resend.cancelled');
      });
      expect(cancelled).toMatchObject({ state: 'cancelled', waiting: 3, delivered: 0, failed: 0 });
      expect(seen).toEqual([['running', 3]]);
      expect(await Promise.all(['ev_1', 'ev_2', 'ev_3'].map(find))).toEqual(before);
      await harness.pass(resendRules.stepMs);
      expect([await harness.resends.step(), await claim()]).toEqual([0, []]);
      await harness.resends.cancel('r_1', () => audit('resend.cancelled'));
      expect(await audited()).toEqual(['resend.started', 'resend.cancelled']);
    });

    it('leaves an attempt in flight when it is cancelled, and lets later deliveries follow', async () => {
      for (const id of ['ev_1', 'ev_2']) await enqueue(id, { orderingKey: 'k' });
      for (let i = 0; i < 2; i++) await harness.queue.giveUp((await claim())[0]!, attempt({ status: 404 }), {});
      await start({ state: 'failed' });
      await harness.resends.step();
      await enqueue('ev_3', { orderingKey: 'k' });
      const [next] = await claim();
      expect(next!.id).toBe('ev_1');
      await harness.resends.cancel('r_1', () => audit('resend.cancelled'));
      expect(await harness.queue.delivered(next!, attempt({ reason: 'operator' }))).toBe(true);
      expect(await find('ev_2')).toMatchObject({ state: 'failed' });
      expect(idsOf(await claim())).toEqual(['ev_3']);
    });

    it('lists newest first, and knows no other', async () => {
      await start({ state: 'failed' }, 2, 'r_1');
      await harness.pass(10);
      await start({ state: 'failed' }, 2, 'r_2');
      const list = async (page: { limit: number; after?: string }) => (await harness.resends.list(page)).map(({ id }) => id);
      expect((await list({ limit: 10 })).sort()).toEqual(['r_1', 'r_2']);
      const [newest] = await list({ limit: 1 });
      expect(await list({ limit: 10, after: newest! })).toHaveLength(1);
      expect(await harness.resends.find('r_1')).toMatchObject({ state: 'done', count: 0 });
      expect(await harness.resends.find('r_3')).toBeUndefined();
      expect(await harness.resends.cancel('r_3', () => audit())).toBeUndefined();
    });
  });

  describe(`EndpointQueueRepository: ${name}`, () => {
    it('shows waiting deliveries and failing endpoints, and releases on request', async () => {
      const harness = await open();
      const queue = anOutboxEvent().queue;
      for (let i = 1; i <= endpointQueueRules.opensAfter; i++) await harness.outbox.add(anOutboxEvent(`ev_${i}`, { at: harness.now() }));
      await harness.outbox.add(anOutboxEvent('mini_1', { receiver: 'miniapp', at: harness.now() + 60_000 }));
      const other = anOutboxEvent('', { receiver: 'miniapp' }).queue;
      expect(await harness.queues.list({ limit: 10 })).toMatchObject([
        { queue, state: 'clear', failures: 0, waiting: endpointQueueRules.opensAfter },
        { queue: other, state: 'clear', waiting: 1 },
      ]);
      expect(await harness.queues.list({ limit: 10, after: queue })).toMatchObject([{ queue: other }]);
      expect(await harness.queues.release(queue, () => audit())).toBeUndefined();
      const trouble = { backoffMs: endpointQueueRules.probeAfterMs, opensAfter: endpointQueueRules.opensAfter };
      for (const due of await harness.queue.claimDue(claimOf())) {
        await harness.queue.retry(due, attempt({ status: 503 }), { dueInMs: 600_000, trouble });
      }
      const found = (await harness.queues.find(queue))!;
      expect(found).toMatchObject({
        queue,
        state: 'open',
        failures: endpointQueueRules.opensAfter,
        waiting: endpointQueueRules.opensAfter,
      });
      expect(Math.abs(found.nextProbeAt! - harness.now() - endpointQueueRules.probeAfterMs)).toBeLessThan(10_000);
      expect(await harness.queues.release(queue, ({ state }) => audit(`was ${state}`))).toMatchObject({ state: 'half-open' });
      expect(await harness.audited()).toMatchObject([{ action: 'was open' }]);
      expect(await harness.queue.claimDue(claimOf())).toHaveLength(endpointQueueRules.opensAfter);
      expect(await harness.queues.find('nothing')).toBeUndefined();
    });
  });
}
