import { endpointQueueRules } from '../../../src/domain/deliveries/endpoint-queue';
import type { AuditEntry } from '../../../src/domain/partners/ports';
import { anOutboxEvent, claimOf } from '../../support/outbox-events';
import { attempt, idsOf } from './delivery-queue.contract';
import type { ResendHarness } from './resend-repository.contract';

const queue = 'hostapp:of int_1:event';
const audit = (action: string) => (): AuditEntry => ({
  actor: 'operator',
  action,
  subject: `endpoint-queue:${queue}`,
  requestId: 'r',
  at: 1,
});

/** What people may rely on who pause an endpoint or give a delivery up, whoever keeps them. */
export function endpointQueueRepositoryContract(name: string, open: () => Promise<ResendHarness>): void {
  describe(`Pauses and aborts: ${name}`, () => {
    let harness: ResendHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const enqueue = (id: string, more: Parameters<typeof anOutboxEvent>[1] = {}) => harness.outbox.add(anOutboxEvent(id, more));
    const claim = () => harness.queue.claimDue(claimOf());
    const pause = (reason = 'release tonight') => harness.queues.pause(queue, { by: 'operator', reason }, audit('endpoint-queue.paused'));
    const resume = () => harness.queues.resume(queue, audit('endpoint-queue.resumed'));
    const abort = (id: string) => harness.repository.abort(id, { reason: 'never mind' }, audit('delivery.aborted'));
    const actions = async () => (await harness.audited()).map(({ action }) => action);

    it('attempts nothing in a paused queue, and releases it when it is resumed', async () => {
      await enqueue('ev_1');
      const paused = await pause();
      expect(paused).toMatchObject({ queue, state: 'paused', waiting: 1, paused: { by: 'operator', reason: 'release tonight' } });
      expect(paused.nextProbeAt).toBeUndefined();
      await enqueue('ev_2', { receiver: 'miniapp' });
      const [other, ...more] = await claim();
      expect([other?.id, more]).toEqual(['ev_2', []]);
      await harness.queue.delivered(other!, attempt());
      await harness.pass(3_600_000);
      expect(idsOf(await claim())).toEqual([]);
      expect(await harness.queue.nextDue([])).toMatchObject({ inMs: undefined });
      expect((await resume())?.state).toBe('half-open');
      expect(idsOf(await claim())).toEqual(['ev_1']);
      expect(await actions()).toEqual(['endpoint-queue.paused', 'endpoint-queue.resumed']);
    });

    it('keeps since when it is paused, and the last reason', async () => {
      const first = await pause();
      await pause('another');
      expect((await harness.queues.find(queue))?.paused).toEqual({ ...first.paused, reason: 'another' });
      expect((await harness.queues.list({ limit: 10 })).map(({ state }) => state)).toEqual(['paused']);
    });

    it('stays paused after an attempt that was in flight, and after a release', async () => {
      for (const id of ['ev_1', 'ev_2', 'ev_3']) await enqueue(id);
      const [one, two] = await claim();
      await pause();
      await harness.queue.retry(one!, attempt({ status: 500 }), {
        dueInMs: 0,
        trouble: { backoffMs: 0, opensAfter: endpointQueueRules.opensAfter },
      });
      await harness.queue.delivered(two!, attempt(), 'recovers');
      expect(await harness.queues.release(queue, audit('endpoint-queue.released'))).toBeUndefined();
      await harness.pass(endpointQueueRules.probeAfterMs * 2);
      expect(idsOf(await claim())).toEqual([]);
      expect((await harness.queues.find(queue))?.state).toBe('paused');
    });

    it('lets single resends pass', async () => {
      await enqueue('ev_1');
      await pause();
      await harness.repository.resend('ev_1', audit('delivery.resent'));
      expect(idsOf(await claim())).toEqual(['ev_1']);
    });

    it('resumes only a paused queue, and otherwise writes no audit row', async () => {
      expect(await resume()).toBeUndefined();
      expect(await actions()).toEqual([]);
    });

    it('gives nothing up for its age while it is paused', async () => {
      await enqueue('ev_1', { at: harness.now() - 8 * 24 * 3_600_000 });
      await pause();
      expect(await harness.queue.giveUpOverdue({ waitingForMs: 0, overdueByMs: 0 })).toBe(0);
    });

    it('aborts a pending delivery with its reason, until it is sent again', async () => {
      await enqueue('ev_1');
      expect(await abort('ev_1')).toMatchObject({ id: 'ev_1', state: 'failed', abortedReason: 'never mind', dueAt: undefined });
      expect(idsOf(await claim())).toEqual([]);
      expect(await actions()).toEqual(['delivery.aborted']);
      expect(await abort('ev_1')).toBe('ended');
      await harness.repository.resend('ev_1', audit('delivery.resent'));
      expect(await harness.repository.find('ev_1')).toMatchObject({ state: 'ready', abortedReason: undefined });
      expect(idsOf(await claim())).toEqual(['ev_1']);
    });

    it('lets the next of a key follow one that is given up', async () => {
      await enqueue('ev_1', { orderingKey: 'k' });
      await enqueue('ev_2', { orderingKey: 'k' });
      await abort('ev_1');
      expect(idsOf(await claim())).toEqual(['ev_2']);
    });

    it('refuses to abort an attempt in flight or an unknown delivery', async () => {
      await enqueue('ev_1');
      const [held] = await claim();
      expect(await abort('ev_1')).toBe('in-flight');
      expect(await harness.queue.delivered(held!, attempt())).toBe(true);
      expect(await abort('ev_1')).toBe('ended');
      expect(await abort('ev_2')).toBeUndefined();
      expect(await actions()).toEqual([]);
    });

    it('shows the last attempt, and lists by queue', async () => {
      await enqueue('ev_1');
      await enqueue('ev_2', { receiver: 'miniapp' });
      const due = await claim();
      const failed = attempt({ status: 500, errorCode: 'X', cause: 'http-500' });
      for (const one of due) await harness.queue.retry(one, failed, { dueInMs: 5000 });
      const [record, ...others] = await harness.repository.list({ queue }, { limit: 10 });
      expect(others).toEqual([]);
      expect(record).toMatchObject({
        id: 'ev_1',
        attemptCount: 1,
        last: { at: failed.at, status: 500, errorCode: 'X', cause: 'http-500' },
      });
      expect(await harness.repository.find('ev_1')).toMatchObject({ tries: 1 });
    });
  });
}
