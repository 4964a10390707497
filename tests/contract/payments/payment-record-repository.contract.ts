import type { AuditEntry } from '../../../src/domain/partners/ports';
import { settle, type PaymentWord } from '../../../src/domain/payments/order-payment';
import { unmatchedCursor, type PaymentRecordRepository, type PaymentFilter } from '../../../src/domain/payments/payment-record-repository';
import type { OrderPaymentRepository } from '../../../src/domain/payments/ports';
import { anIntent, begun, report } from './payment-harness';

export interface PaymentRecordRepositoryHarness {
  readonly repository: PaymentRecordRepository;
  readonly payments: OrderPaymentRepository;
  /** Says of early results that no payment was opened for them. */
  giveUpEarly(): Promise<void>;
  /** Makes every payment look as if it was written before there were summaries. */
  loseSummaries(): Promise<void>;
  audited(): Promise<readonly Pick<AuditEntry, 'action' | 'subject'>[]>;
}

const hourMs = 3_600_000;
const audit: AuditEntry = { actor: 'operator', action: 'payment.noted', subject: 'payment:pay_1', requestId: 'r', at: 1 };

/** What the operator may rely on. The integrations int_1 (host_1, app_1), int_2 (host_1, app_2), int_3 (host_2, app_1) are there from the start. */
export function paymentRecordRepositoryContract(name: string, open: () => Promise<PaymentRecordRepositoryHarness>): void {
  describe(`PaymentRecordRepository: ${name}`, () => {
    let harness: PaymentRecordRepositoryHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const intend = async (id: string, { at = begun, integrationId = 'int_1' } = {}) => {
      const intent = anIntent(id, { at, integrationId });
      await harness.payments.intend(intent);
      return intent;
    };
    const opened = async (id: string, more: Parameters<typeof intend>[1] = {}) => {
      const intent = await intend(id, more);
      await harness.payments.open(intent, `op-${id}`);
      return intent;
    };
    const complete = ({ id, integrationId }: { id: string; integrationId: string }, word: PaymentWord, more: object = {}) =>
      harness.payments.settle({ integrationId, orderPaymentId: `op-${id}` }, (known) =>
        settle(known, report(word, { orderPaymentId: `op-${id}`, ...more })),
      );
    const list = async (filter: PaymentFilter = {}, page: { limit: number; after?: string } = { limit: 10 }) =>
      (await harness.repository.list(filter, page)).map(({ id }) => id);

    it('shows what an operator needs, and nothing of the user', async () => {
      const intent = await opened('pay_1');
      const record = {
        ...{ id: 'pay_1', integrationId: 'int_1', pair: { clientId: 'host_1', appId: 'app_1' }, orderPaymentId: 'op-pay_1' },
        ...{ creation: 'opened', status: 'in_process', amount: '1.10', currency: 'USD', orderId: 'order-1', createdAt: begun },
        ...{ settledAt: undefined, notice: undefined, openConflicts: 0 },
        plan: { polls: 0, lastPollAt: undefined, outcome: undefined, nextAt: undefined },
      };
      expect(await harness.repository.list({}, { limit: 10 })).toEqual([record]);
      expect(await harness.repository.find('pay_1')).toEqual({ ...record, result: undefined, disagreements: [] });
      await complete(intent, 'paid');
      const { at, requestId } = report('paid');
      expect(await harness.repository.find('pay_1')).toEqual({
        ...{ ...record, status: 'paid', settledAt: at, notice: 'ready' },
        ...{ result: { word: 'paid', requestId, at }, disagreements: [] },
      });
      expect(JSON.stringify(await harness.repository.find('pay_1'))).not.toContain('üser');
      expect(await harness.repository.find('pay_2')).toBeUndefined();
    });

    it('shows the same of a payment from before there were summaries', async () => {
      await opened('pay_1');
      const before = await harness.repository.list({}, { limit: 10 });
      await harness.loseSummaries();
      expect(await harness.repository.list({}, { limit: 10 })).toEqual(before);
    });

    it('lists newest first in complete pages, even if times are equal', async () => {
      for (const id of ['pay_1', 'pay_2', 'pay_3', 'pay_4']) await intend(id, { at: id === 'pay_1' ? begun - hourMs : begun });
      const all = ['pay_4', 'pay_3', 'pay_2', 'pay_1'];
      expect(await list()).toEqual(all);
      expect(await list({}, { limit: 2 })).toEqual(all.slice(0, 2));
      expect(await list({}, { limit: 2, after: 'pay_3' })).toEqual(all.slice(2));
      expect(await list({}, { limit: 2, after: 'pay_9' })).toEqual([]);
    });

    it.each([{ notice: 'ready' }, { isSettled: true }] as const)(
      'lists those with %j in pages that neither miss nor repeat',
      async (filter) => {
        const ids = ['pay_1', 'pay_2', 'pay_3'];
        for (const [i, id] of ids.entries()) await complete(await opened(id, { at: begun + i }), 'paid');
        await opened('pay_4');
        expect(await list(filter, { limit: 2 })).toEqual(['pay_3', 'pay_2']);
        expect(await list(filter, { limit: 2, after: 'pay_2' })).toEqual(['pay_1']);
        expect(await list(filter, { limit: 2, after: 'pay_9' })).toEqual([]);
      },
    );

    it('finds them by every filter', async () => {
      await complete(await opened('pay_1'), 'paid');
      await complete(await opened('pay_2', { integrationId: 'int_2' }), 'failed');
      await harness.payments.giveUp(await intend('pay_3', { integrationId: 'int_3' }), 'refused');
      await opened('pay_4', { at: begun - hourMs });
      const cases: readonly [PaymentFilter, readonly string[]][] = [
        [{ id: 'pay_2' }, ['pay_2']],
        [{ clientId: 'host_1' }, ['pay_2', 'pay_1', 'pay_4']],
        [{ appId: 'app_1' }, ['pay_3', 'pay_1', 'pay_4']],
        [{ clientId: 'host_1', appId: 'app_2' }, ['pay_2']],
        [{ clientId: 'host_2', appId: 'app_2' }, []],
        [{ orderPaymentId: 'op-pay_1' }, ['pay_1']],
        [{ status: 'failed' }, ['pay_2']],
        [{ status: 'in_process' }, ['pay_3', 'pay_4']],
        [{ creation: 'refused' }, ['pay_3']],
        [{ notice: 'ready' }, ['pay_2', 'pay_1']],
        [{ notice: 'delivered' }, []],
        [{ isSettled: true }, ['pay_2', 'pay_1']],
        [{ isSettled: false }, ['pay_3', 'pay_4']],
        [{ inConflict: true }, []],
        [{ from: begun }, ['pay_3', 'pay_2', 'pay_1']],
        [{ to: begun }, ['pay_4']],
        [{ status: 'in_process', creation: 'opened', clientId: 'host_1' }, ['pay_4']],
      ];
      for (const [filter, ids] of cases) expect([filter, await list(filter)]).toEqual([filter, ids]);
    });

    it('keeps a poll beside the plan, with its audit row', async () => {
      await opened('pay_1');
      await harness.repository.notePoll('pay_1', { polledAt: begun + 1, outcome: 'in_process' }, audit);
      expect((await harness.repository.find('pay_1'))?.plan).toEqual({
        polls: 1,
        lastPollAt: begun + 1,
        outcome: 'in_process',
        nextAt: undefined,
      });
      expect(await harness.audited()).toMatchObject([{ action: audit.action, subject: audit.subject }]);
    });

    it('shows conflicting reports, and stores who reviewed one of them, once', async () => {
      const intent = await opened('pay_1');
      await complete(intent, 'paid');
      await complete(intent, 'failed', { requestId: 'req-2' });
      await complete(intent, 'paid', { requestId: 'req-3', at: report('paid').at + 1, failReason: undefined });
      expect(await list({ inConflict: true })).toEqual(['pay_1']);
      const { disagreements = [], openConflicts } = (await harness.repository.find('pay_1')) ?? {};
      expect(openConflicts).toBe(1);
      expect(disagreements).toMatchObject([
        { kind: 'conflict', word: 'failed', requestId: 'req-2', differsIn: ['payment_status'], resolved: undefined },
        { kind: 'difference', word: 'paid', requestId: 'req-3', differsIn: ['payment_fail_reason'] },
      ]);
      const [conflict] = disagreements;
      const resolve = (by: string, conflictId = conflict?.id ?? '') =>
        harness.repository.resolve({ paymentId: 'pay_1', conflictId }, { at: begun, by, reason: 'paid in cash' }, ({ word }) => ({
          ...audit,
          action: word ?? '',
        }));
      expect((await resolve('mia'))?.disagreements[0]?.resolved).toEqual({ at: begun, by: 'mia', reason: 'paid in cash' });
      expect((await resolve('lea'))?.disagreements[0]?.resolved?.by).toBe('mia');
      expect(await resolve('mia', 'ab'.repeat(32))).toBeUndefined();
      expect(
        await harness.repository.resolve({ paymentId: 'pay_2', conflictId: '' }, { at: 1, by: 'x', reason: 'y' }, () => audit),
      ).toBeUndefined();
      expect((await harness.audited()).map(({ action }) => action)).toEqual(['failed']);
      expect(await list({ inConflict: true })).toEqual([]);
    });

    it('lists results that no payment was opened for, once that is known', async () => {
      await intend('pay_1');
      await intend('pay_2', { integrationId: 'int_3' });
      await complete({ id: 'x', integrationId: 'int_1' }, 'paid');
      await complete({ id: 'y', integrationId: 'int_3' }, 'failed', { at: report('paid').at + 1 });
      const unmatched = (filter: object = {}, page: { limit: number; after?: string } = { limit: 10 }) =>
        harness.repository.unmatched(filter, page);
      expect(await unmatched()).toEqual([]);
      await harness.giveUpEarly();
      const [newest, oldest] = await unmatched();
      expect(newest).toMatchObject({
        integrationId: 'int_3',
        pair: { clientId: 'host_2', appId: 'app_1' },
        orderPaymentId: 'op-y',
        status: 'failed',
      });
      expect(oldest).toMatchObject({ orderPaymentId: 'op-x', status: 'paid', requestId: 'req-1', at: report('paid').at });
      expect(await unmatched({ clientId: 'host_1' })).toEqual([oldest]);
      expect(await unmatched({ appId: 'app_1', orderPaymentId: 'op-y' })).toEqual([newest]);
      expect(await unmatched({}, { limit: 1 })).toEqual([newest]);
      expect(await unmatched({}, { limit: 1, after: unmatchedCursor(newest!) })).toEqual([oldest]);
      expect(await unmatched({}, { limit: 1, after: unmatchedCursor(oldest!) })).toEqual([]);
      expect(await unmatched({}, { limit: 1, after: 'unknown' })).toEqual([]);
    });
  });
}
