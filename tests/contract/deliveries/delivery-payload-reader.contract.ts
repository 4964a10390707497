import type { DeliveryPayloadReader } from '../../../src/domain/deliveries/delivery-drafts';
import type { AuditEntry } from '../../../src/domain/partners/ports';
import { printJson } from '../../../src/domain/shared/print-json';
import { anOutboxEvent, claimOf, eventBody } from '../../support/outbox-events';
import type { DeliveryRepositoryHarness } from './delivery-repository.contract';
import { attempt } from './delivery-queue.contract';
import { notIds } from '../each-database';

export interface DeliveryPayloadReaderHarness extends DeliveryRepositoryHarness {
  readonly payloads: DeliveryPayloadReader;
}

const audit = (): AuditEntry => ({ actor: 'operator', action: 'delivery.request-shown', subject: 'delivery:ev_1', requestId: 'r', at: 1 });

/** What opening a delivery means, whoever keeps it. */
export function deliveryPayloadReaderContract(name: string, open: () => Promise<DeliveryPayloadReaderHarness>): void {
  describe(`DeliveryPayloadReader: ${name}`, () => {
    let harness: DeliveryPayloadReaderHarness;
    beforeEach(async () => {
      harness = await open();
    });

    it('opens an event with the bytes that were queued, and writes an audit row', async () => {
      await harness.outbox.add(anOutboxEvent('ev_1', { at: harness.now() }));
      const [due] = await harness.queue.claimDue(claimOf());
      await harness.queue.delivered(due!, attempt());
      const before = await harness.repository.find('ev_1');
      const opened = await harness.payloads.open('ev_1', audit);
      expect(opened).toMatchObject({
        id: 'ev_1',
        integrationId: 'int_1',
        content: { kind: 'event', receiver: 'hostapp', requestId: 'req-1' },
      });
      expect(opened?.content.kind === 'event' && printJson(opened.content.body)).toBe(eventBody);
      expect(await harness.repository.find('ev_1')).toEqual(before);
      expect(await harness.audited()).toEqual([expect.objectContaining({ action: 'delivery.request-shown', subject: 'delivery:ev_1' })]);
    });

    it('opens a completion', async () => {
      await harness.completes('pay_1');
      expect(await harness.payloads.open('pay_1', audit)).toMatchObject({
        content: { kind: 'completion', completion: { orderPaymentId: 'op of pay_1', word: 'paid' } },
      });
    });

    it('opens nothing that is not there, and leaves no audit row', async () => {
      expect(await harness.payloads.open('ev_1', audit)).toBeUndefined();
      expect(await harness.audited()).toEqual([]);
    });

    it.each(notIds)('takes %s for no id', async (_what, id) => {
      await expect(harness.payloads.open(id as string, audit)).rejects.toThrow();
    });
  });
}
