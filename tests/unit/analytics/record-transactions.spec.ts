import { MemoryTransactionRepository } from '../../../src/adapters/out/memory/analytics/memory-transaction-repository';
import { RecordTransactions } from '../../../src/domain/analytics/record-transactions';
import type { TransactionReport } from '../../../src/domain/analytics/transaction-report';
import { JsonNumber, JsonObject } from '../../../src/domain/shared/json';
import { aRelay } from '../../support/a-relay';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { anIntegration } from '../../support/partners/partners';
import { aReport } from '../../support/transactions';

const clock = new ManualClock();
let repository: MemoryTransactionRepository;
let recordTransactions: RecordTransactions;
beforeEach(() => {
  repository = new MemoryTransactionRepository();
  recordTransactions = new RecordTransactions({ repository, ids: new CountingIds(), clock });
});
const integration = anIntegration();
const record = (...reports: readonly TransactionReport[]) =>
  recordTransactions.execute({ relay: aRelay(clock), integration, reports, idPath: (i) => `[${i}].transaction_id` });
const kept = (transactionId: string) => repository.find({ integrationId: integration.id, transactionId });

describe('RecordTransactions', () => {
  it('stores a report, dated by the clock if the report has no time', async () => {
    await record(aReport({ transactionId: 'a' }), aReport({ transactionId: 'b', occurredAt: undefined }));
    const origin = {
      integrationId: 'int_1',
      clientId: 'host_abc123def456',
      appId: 'app_abc123',
      requestId: 'req-1',
      receivedAt: clock.now(),
    };
    expect(await kept('a')).toMatchObject({ ...origin, at: Date.UTC(2026, 0, 2, 2, 4, 5, 678), report: aReport({ transactionId: 'a' }) });
    expect(await kept('b')).toMatchObject({ ...origin, at: clock.now() });
  });

  it('counts a repeat within one list as one report, however the amount is written', async () => {
    await record(aReport({ amount: '1.10' }), aReport({ amount: new JsonNumber('1.1') }), aReport({ amount: '1.10' }));
    expect((await kept('tx-1 €'))?.report.amount).toBe('1.10');
  });

  it('compares a long report with its repeats up to the first difference', async () => {
    let reads = 0;
    const customer = new Proxy(new JsonObject(new Map()), {
      get: (target, name, self) => {
        if (name === 'members') reads += 1;
        return Reflect.get(target, name, self) as unknown;
      },
    });
    const long = aReport({ customer });
    const repeats = Array.from({ length: 20 }, () => aReport({ amount: '7' }));
    await expect(record(long, ...repeats)).rejects.toMatchObject({ kind: 'conflict' });
    expect(reads).toBe(0);
  });

  it('refuses a list in which one id has two contents, and names each place', async () => {
    const of = (transactionId: string, amount: string) => aReport({ transactionId, amount });
    await expect(record(of('a', '1'), of('b', '1'), of('a', '2'), of('c', '1'), of('a', '1'), of('c', '2'))).rejects.toMatchObject({
      kind: 'conflict',
      code: 'DATA_INTEGRITY_ERROR',
      details: {
        side: 'miniapp',
        fields: [
          { path: '[2].transaction_id', rule: 'a was sent with other content' },
          { path: '[5].transaction_id', rule: 'c was sent with other content' },
        ],
      },
    });
    expect(await kept('b')).toBeUndefined();
  });

  it('refuses a list with an id that is stored with other content, and names each place', async () => {
    await record(aReport({ transactionId: 'a', amount: '1' }));
    const again = aReport({ transactionId: 'a', amount: '2' });
    await expect(record(aReport({ transactionId: 'b' }), again, again)).rejects.toMatchObject({
      code: 'DATA_INTEGRITY_ERROR',
      details: { fields: [{ path: '[1].transaction_id' }, { path: '[2].transaction_id' }] },
    });
    expect([await kept('b'), (await kept('a'))?.report.amount]).toEqual([undefined, '1']);
  });

  it('is done where all of it is kept already', async () => {
    await record(aReport());
    await expect(record(aReport())).resolves.toBeUndefined();
  });
});
