import type { OwedVault } from '../../src/domain/deliveries/delivery-drafts';
import type { AuditEntry } from '../../src/domain/partners/ports';
import { printJson } from '../../src/domain/shared/json';
import { anOwedEvent, claimOf, owedBody } from '../support/owed';
import type { DeliveryBookHarness } from './delivery-book.contract';
import { attempt } from './delivery-queue.contract';
import { notIds } from './each-database';

export interface OwedVaultHarness extends DeliveryBookHarness {
  readonly vault: OwedVault;
}

const audit = (): AuditEntry => ({ actor: 'operator', action: 'delivery.request-shown', subject: 'delivery:ev_1', requestId: 'r', at: 1 });

/** What opening a delivery means, whoever keeps it. */
export function owedVaultContract(name: string, open: () => Promise<OwedVaultHarness>): void {
  describe(`OwedVault: ${name}`, () => {
    let harness: OwedVaultHarness;
    beforeEach(async () => {
      harness = await open();
    });

    it('opens an event with the bytes that were owed, received or not, changes nothing and leaves an audit row', async () => {
      await harness.outbox.owe(anOwedEvent('ev_1', { at: harness.now() }));
      const [due] = await harness.queue.claimDue(claimOf());
      await harness.queue.delivered(due!, attempt());
      const before = await harness.book.find('ev_1');
      const opened = await harness.vault.open('ev_1', audit);
      expect(opened).toMatchObject({
        id: 'ev_1',
        integrationId: 'int_1',
        owed: { kind: 'event', receiver: 'hostapp', requestId: 'req-1' },
      });
      expect(opened?.owed.kind === 'event' && printJson(opened.owed.body)).toBe(owedBody);
      expect(await harness.book.find('ev_1')).toEqual(before);
      expect(await harness.audited()).toEqual([expect.objectContaining({ action: 'delivery.request-shown', subject: 'delivery:ev_1' })]);
    });

    it('opens a completion', async () => {
      await harness.completes('pay_1');
      expect(await harness.vault.open('pay_1', audit)).toMatchObject({
        owed: { kind: 'completion', completion: { orderPaymentId: 'op of pay_1', word: 'paid' } },
      });
    });

    it('opens nothing that is not there, and leaves no audit row', async () => {
      expect(await harness.vault.open('ev_1', audit)).toBeUndefined();
      expect(await harness.audited()).toEqual([]);
    });

    it.each(notIds)('takes %s for no id', async (_what, id) => {
      await expect(harness.vault.open(id as string, audit)).rejects.toThrow();
    });
  });
}
