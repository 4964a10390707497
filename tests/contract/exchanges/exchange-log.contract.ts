import type { Exchange } from '../../../src/domain/exchanges/exchange';
import type { ExchangeLog } from '../../../src/domain/exchanges/ports';

export interface ExchangeLogHarness {
  readonly log: ExchangeLog;
  /** All records that have arrived, oldest first. */
  arrived(): Promise<readonly Exchange[]>;
}

export const anExchange = (number: number, more: Partial<Exchange> = {}): Exchange => ({
  id: `ex_${String(number).padStart(6, '0')}`,
  requestId: `req-${number}`,
  call: 'connect',
  clientId: 'host_1',
  appId: 'app_1',
  reference: 'us****12',
  at: 1_700_000_000_000 + number,
  ms: 12,
  status: 200,
  checks: ['basic'],
  legs: [{ to: 'miniapp', step: 'miniapp_token', attempt: 1, startedAt: 1_700_000_000_001, ms: 9, status: 200 }],
  ...more,
});

/** What a relay may rely on, whoever keeps its record. */
export function exchangeLogContract(name: string, open: () => Promise<ExchangeLogHarness>): void {
  describe(`ExchangeLog: ${name}`, () => {
    let harness: ExchangeLogHarness;
    beforeEach(async () => {
      harness = await open();
    });

    it('keeps a record whole', async () => {
      const failed = anExchange(2, {
        status: 400,
        errorCode: 'ÜNKNOWN "x"',
        failedSide: 'miniapp',
        failedStep: 'miniapp_token',
        checks: ['basic', 'signature'],
        refused: { check: 'address', of: 'miniapp' },
        partOf: 'payment-1',
        legs: [{ to: 'hostapp', step: 'exchange', attempt: 2, startedAt: 1, ms: 0.5, errorCode: 'X', cause: 'timeout' }],
      });
      const bare = anExchange(3, { clientId: undefined, appId: undefined, reference: undefined, checks: [], legs: [] });
      for (const exchange of [anExchange(1), failed, bare]) harness.log.append(exchange);
      expect(await harness.arrived()).toEqual([anExchange(1), failed, bare]);
    });

    it('keeps three thousand appended at once', async () => {
      const exchanges = Array.from({ length: 3000 }, (_, i) => anExchange(i));
      for (const exchange of exchanges) harness.log.append(exchange);
      expect(await harness.arrived()).toEqual(exchanges);
    });
  });
}
