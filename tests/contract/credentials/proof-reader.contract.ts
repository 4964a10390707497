import type { Exchange } from '../../../src/domain/exchanges/exchange';
import type { OrderPaymentRepository } from '../../../src/domain/payments/ports';
import { settle } from '../../../src/domain/payments/order-payment';
import type { ProofReader } from '../../../src/domain/readiness/ports';
import { anExchange } from '../exchanges/exchange-log.contract';
import { anIntent, begun, report } from '../payments/payment-harness';

export interface ProofReaderHarness {
  readonly proofs: ProofReader;
  readonly payments: OrderPaymentRepository;
  keep(exchanges: readonly Exchange[]): Promise<void>;
  /** Says of all that is pending that it was delivered, at a moment. */
  deliverAll(at: number): Promise<void>;
}

/** What readiness may rely on. The integrations int_1 to int_3 are there from the start. */
export function proofReaderContract(name: string, open: () => Promise<ProofReaderHarness>): void {
  describe(`ProofReader: ${name}`, () => {
    let harness: ProofReaderHarness;
    beforeEach(async () => {
      harness = await open();
    });

    it('finds the successful record of each call at its time and of its own pair', async () => {
      const at = begun;
      await harness.keep([
        anExchange(1, { at }),
        anExchange(2, { at, call: 'authorize' }),
        anExchange(3, { at, appId: 'app_2' }),
        anExchange(4, { at: at + 1, status: 502, errorCode: 'FAILED_TO_PARSE_RESPONSE' }),
        anExchange(5, { at: at + 2 }),
      ]);
      const pair = { clientId: 'host_1', appId: 'app_1' };
      const keys = [
        { ...pair, call: 'connect', at },
        { ...pair, appId: 'app_2', call: 'connect', at },
        { ...pair, call: 'connect', at: at + 1 },
        { ...pair, clientId: 'host_2', call: 'connect', at },
      ];
      expect((await harness.proofs.calls(keys)).map(({ id }) => id).sort()).toEqual(['ex_000001', 'ex_000003']);
      expect(await harness.proofs.calls([])).toEqual([]);
    });

    it('shows the last payments of each integration', async () => {
      const { payments, proofs } = harness;
      const opened = async (id: string, integrationId: string, at: number) => {
        const intent = anIntent(id, { at, integrationId });
        await payments.intend(intent);
        await payments.open(intent, `op-${id}`);
      };
      await opened('pay_1', 'int_1', begun);
      await opened('pay_2', 'int_1', begun + 1000);
      await opened('pay_3', 'int_2', begun);
      await payments.intend(anIntent('pay_4', { at: begun, integrationId: 'int_3' }));
      await payments.settle({ integrationId: 'int_1', orderPaymentId: 'op-pay_1' }, (known) =>
        settle(known, report('paid', { orderPaymentId: 'op-pay_1', at: begun + 5000 })),
      );
      await harness.deliverAll(begun + 6000);
      const found = await proofs.payments(['int_3', 'int_1', 'int_2', 'int_9'], begun);
      const byId = new Map(found.map(({ integrationId, ...shown }) => [integrationId, shown]));
      expect([...byId.keys()].sort()).toEqual(['int_1', 'int_2', 'int_3', 'int_9']);
      expect(byId.get('int_1')).toMatchObject({
        created: { id: 'pay_2', at: begun + 1000 },
        completed: { id: 'pay_1' },
        noticed: { id: 'pay_1', at: begun + 6000 },
      });
      expect(byId.get('int_2')).toEqual({ created: { id: 'pay_3', at: begun }, completed: undefined, noticed: undefined });
      for (const id of ['int_3', 'int_9']) expect(byId.get(id)).toEqual({ created: undefined, completed: undefined, noticed: undefined });
      const [later] = await proofs.payments(['int_2'], begun + 1);
      expect(later).toEqual({ integrationId: 'int_2', created: undefined, completed: undefined, noticed: undefined });
      expect(await proofs.payments([], begun)).toEqual([]);
    });
  });
}
