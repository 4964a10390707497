import { MemoryTransactionRepository } from '../../../src/adapters/out/memory/analytics/memory-transaction-repository';
import { PostgresOrderPaymentRepository } from '../../../src/adapters/out/postgres/payments/postgres-order-payment-repository';
import { PostgresTransactionRepository } from '../../../src/adapters/out/postgres/analytics/postgres-transaction-repository';
import { PostgresTransactionReader } from '../../../src/adapters/out/postgres/analytics/postgres-transaction-reader';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import type { TransactionFilter } from '../../../src/domain/analytics/ports';
import type { TransactionReport } from '../../../src/domain/analytics/transaction-report';
import { settle, type PaymentWord } from '../../../src/domain/payments/order-payment';
import { JsonObject } from '../../../src/domain/shared/json';
import { testBox } from '../../support/postgres/test-box';
import { aTransaction } from '../../support/transactions';
import { onEachDatabase, onSecondSource } from '../each-database';
import { transactionRepositoryContract } from './transaction-repository.contract';

transactionRepositoryContract('memory', async () => {
  const repository = new MemoryTransactionRepository();
  return { repository, other: repository };
});

onEachDatabase((name, database) => {
  const second = onSecondSource(name, database);

  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const index = await openReferenceIndex(db, box);
    return {
      db,
      repository: new PostgresTransactionRepository({ db, box, index }),
      other: new PostgresTransactionRepository({ db: second(), box, index }),
      reader: new PostgresTransactionReader(db),
      payments: new PostgresOrderPaymentRepository({ db, box, index }),
    };
  };
  transactionRepositoryContract(name, inDatabase);

  describe(`PostgresTransactionRepository: ${name}`, () => {
    it('writes nothing of the user that can be read without the key', async () => {
      const { db, repository } = await inDatabase();
      await repository.keep([aTransaction()]);
      const [row] = await db.query('select t::text as text, sealed_report from miniapp_transactions t');
      // No text of hexadecimal digits alone: sealed values are random bytes, which hold one in the end.
      for (const text of ['üser-1', 'Mia', ':1e400']) {
        expect(row.text).not.toContain(text);
        expect(row.sealed_report.toString('utf8')).not.toContain(text);
      }
      expect(row.text).toContain('12345678901234567.10');
    });
  });

  const day = (text: string, time = '12:00:00Z') => ({ occurredAt: `2026-01-${text}T${time}` });
  const plain = { shipping: undefined, tax: undefined, discount: undefined, miniappOrderId: undefined, orderPaymentId: undefined };

  describe(`PostgresTransactionReader: ${name}`, () => {
    it('shows a transaction as it came, and nothing of the user', async () => {
      const { repository, reader } = await inDatabase();
      const transaction = aTransaction();
      await repository.keep([transaction]);
      const { id, at, receivedAt, clientId, appId, requestId } = transaction;
      const fields = { transactionId: 'tx-1 €', status: 'paid', currency: 'USD', orderPaymentId: 'op-1', miniappOrderId: 'order-1' };
      const amounts = { amount: '12345678901234567.10', shipping: '1.10', tax: '100.00', discount: '0.00' };
      expect(await reader.list({}, { limit: 10 })).toEqual([{ id, at, receivedAt, clientId, appId, requestId, ...fields, ...amounts }]);
    });

    it('lists newest first, in pages that neither miss nor repeat', async () => {
      const { repository, reader } = await inDatabase();
      const hours = ['05', '03', '03', '09', '01', '03', '07'];
      const transaction = hours.map((hour, i) => aTransaction({ transactionId: `tx-${i}`, ...day('02', `${hour}:00:00Z`) }));
      await repository.keep(transaction);
      const expected = [3, 6, 0, 5, 2, 1, 4].map((i) => transaction[i]!.id);
      const ids: string[] = [];
      for (let after: string | undefined; ; after = ids.at(-1)) {
        const page = await reader.list({}, { limit: 3, after });
        ids.push(...page.map(({ id }) => id));
        if (page.length < 3) break;
      }
      expect(ids).toEqual(expected);
      expect(await reader.list({}, { limit: 3, after: 'none' })).toEqual([]);
    });

    it.each<[string, TransactionFilter, string[]]>([
      ['host app', { clientId: 'host_2' }, ['b']],
      ['miniapp', { appId: 'app_2' }, ['c']],
      ['status', { status: 'refunded' }, ['d']],
      ['currency', { currency: 'EUR' }, ['e']],
      ['transaction', { transactionId: 'f' }, ['f']],
      ['order payment', { orderPaymentId: 'op-2' }, ['g']],
      ['order', { miniappOrderId: 'order-2' }, ['h']],
      ['time, first included, last not', { from: Date.UTC(2026, 0, 2, 12), to: Date.UTC(2026, 0, 4, 12) }, ['j', 'i']],
      ['all of it', { clientId: 'host_1', appId: 'app_1', status: 'paid', currency: 'USD', transactionId: 'a', from: 0, to: 2e12 }, ['a']],
      ['what nobody has', { clientId: 'host_2', appId: 'app_2' }, []],
    ])('finds by %s', async (_what, filter, found) => {
      const { repository, reader } = await inDatabase();
      const of = (transactionId: string, more: Partial<TransactionReport> = {}) => ({ ...day('01'), ...plain, transactionId, ...more });
      await repository.keep([
        aTransaction(of('a')),
        aTransaction(of('b'), { clientId: 'host_2', integrationId: 'int_2' }),
        aTransaction(of('c'), { appId: 'app_2', integrationId: 'int_3' }),
        aTransaction(of('d', { status: 'refunded' })),
        aTransaction(of('e', { currency: 'EUR' })),
        aTransaction(of('f')),
        aTransaction(of('g', { orderPaymentId: 'op-2' })),
        aTransaction(of('h', { miniappOrderId: 'order-2' })),
        aTransaction(of('i', day('02'))),
        aTransaction(of('j', day('03'))),
        aTransaction(of('k', day('04'))),
      ]);
      expect((await reader.list(filter, { limit: 20 })).map(({ transactionId }) => transactionId)).toEqual(found);
    });

    it('adds up by day in UTC, integration, currency and status, exactly', async () => {
      const { repository, reader } = await inDatabase();
      const big = '999999999999999999.99';
      const of = (transactionId: string, more: Partial<TransactionReport>) => ({ ...plain, ...day('02'), transactionId, ...more });
      await repository.keep([
        aTransaction(of('a', { amount: big, shipping: '0.10', tax: '0.20' })),
        aTransaction(of('b', { amount: big, shipping: '0.20', discount: '5' })),
        aTransaction(of('c', { amount: '1', status: 'refunded' })),
        aTransaction(of('d', { amount: '2', currency: 'EUR' })),
        aTransaction(of('e', { amount: '3', ...day('02', '00:30:00+01:00') })),
        aTransaction(of('f', { amount: '4' }), { clientId: 'host_2', integrationId: 'int_2' }),
      ]);
      const line = (of: object, amount: string, more: object = {}) => ({
        ...{ day: '2026-01-02', clientId: 'host_1', appId: 'app_1', currency: 'USD', status: 'paid', count: 1, amount },
        ...{ shipping: '0.00', tax: '0.00', discount: '0.00', ...of, ...more },
      });
      const summary = async (...args: Parameters<typeof reader.summary>) =>
        (await reader.summary(...args)).map(({ id, ...rest }) => (expect(id).toMatch(/^[A-Za-z0-9_-]{1,400}$/), rest));
      const lines = [
        line({ clientId: 'host_2' }, '4.00'),
        line({ status: 'refunded' }, '1.00'),
        line({ count: 2 }, '1999999999999999999.98', { shipping: '0.30', tax: '0.20', discount: '5.00' }),
        line({ currency: 'EUR' }, '2.00'),
        line({ day: '2026-01-01' }, '3.00'),
      ];
      expect(await summary({}, { limit: 10 })).toEqual(lines);
      expect(
        await summary({ clientId: 'host_1', appId: 'app_1', from: Date.UTC(2026, 0, 2), to: Date.UTC(2026, 0, 3) }, { limit: 10 }),
      ).toEqual(lines.slice(1, 4));
      const [one, two] = await reader.summary({ clientId: 'host_1' }, { limit: 2 });
      expect(await summary({ clientId: 'host_1' }, { limit: 2, after: two!.id })).toEqual(lines.slice(3));
      expect(await summary({ clientId: 'host_1' }, { limit: 9, after: one!.id })).toEqual(lines.slice(2));
      expect(await summary({}, { limit: 2, after: 'none' })).toEqual([]);
    });

    it('comes to each line once, page by page, over days with nothing between them', async () => {
      const { repository, reader } = await inDatabase();
      const days = ['01', '02', '09', '28'];
      const reports = days.flatMap((one) =>
        ['USD', 'EUR'].map((currency) => ({ ...plain, ...day(one), currency, transactionId: `${one}${currency}` })),
      );
      await repository.keep(reports.map((report) => aTransaction(report)));
      for (const limit of [1, 3]) {
        const seen: string[] = [];
        for (let after: string | undefined; ;) {
          const page = await reader.summary({}, { limit, after });
          seen.push(...page.map((line) => `${line.day.slice(8)}${line.currency}`));
          after = page.at(-1)?.id;
          if (after === undefined) break;
        }
        expect(seen).toEqual(['28USD', '28EUR', '09USD', '09EUR', '02USD', '02EUR', '01USD', '01EUR']);
      }
    });

    it('shows exactly the payments on which the miniapp and the relay do not agree', async () => {
      const { repository, reader, payments } = await inDatabase();
      const at = Date.UTC(2026, 0, 2, 11);
      const seen = async (orderPaymentId: string, word: PaymentWord, fields: object = {}, integrationId = 'int_1') => {
        const order = { fields: { currency: 'USD', amount: '1.10', ...fields }, relayed: new JsonObject(new Map()) };
        const intent = { id: `p-${integrationId}-${orderPaymentId}`, integrationId, clientId: 'host_1', order, at };
        await payments.intend(intent);
        await payments.open(intent, orderPaymentId);
        const report = { clientId: 'host_1', appId: 'app_1', orderPaymentId, word, requestId: 'r', at };
        await payments.settle({ integrationId, orderPaymentId }, (payment) => settle(payment, report));
      };
      const reported = (orderPaymentId: string | undefined, more: Partial<TransactionReport> = {}, origin: object = {}) =>
        aTransaction(
          { ...plain, ...day('02'), transactionId: `tx-${orderPaymentId}-${more.status}`, amount: '1.1', orderPaymentId, ...more },
          origin,
        );
      for (const id of ['equal', 'refunded', 'upper', 'only-seen', 'late']) await seen(id, 'paid');
      await seen('exponent', 'paid', { amount: '1E2' });
      await seen('amount', 'paid', { amount: '1.11' });
      await seen('currency', 'paid', { currency: 'EUR' });
      await seen('status', 'cancelled');
      await seen('open', 'in_process');
      await seen('all', 'failed', { amount: '2', currency: 'SGD' });
      await seen('foreign', 'paid', {}, 'int_2');
      await repository.keep([
        reported('equal'),
        reported('refunded', { status: 'refunded', amount: '0.5' }),
        reported('upper', { currency: 'usd' }),
        reported('exponent', { amount: '100.00' }),
        reported('late', day('20')),
        ...['amount', 'currency', 'status', 'all', 'foreign', 'only-reported'].map((id) => reported(id)),
        reported('open', { status: 'refunded' }),
        reported(undefined),
        reported('elsewhere', {}, { integrationId: 'int_2' }),
      ]);
      const pair = { integrationId: 'int_1', clientId: 'host_1', appId: 'app_1' };
      const found = await reader.differences(pair, { limit: 50 });
      const differences = Object.fromEntries(
        found.map((line) => [line.orderPaymentId, line.kind === 'different' ? line.differs : line.kind]),
      );
      expect(differences).toEqual({
        ...{ amount: ['amount'], currency: ['currency'], status: ['status'], open: ['status'], all: ['amount', 'currency', 'status'] },
        ...{ 'only-seen': 'only_seen', 'only-reported': 'only_reported', foreign: 'only_reported' },
      });
      expect(found).toHaveLength(8);
      const days = await reader.paidDays({ ...pair, from: Date.UTC(2025, 0, 1), to: Date.UTC(2027, 0, 1) });
      const sum = (count: number, amount: string) => ({ count, amount });
      expect(days).toEqual([
        { day: '2026-01-02', currency: 'EUR', reported: sum(0, '0.00'), relayed: sum(1, '1.10'), difference: '-1.10' },
        { day: '2026-01-02', currency: 'USD', reported: sum(12, '111.50'), relayed: sum(7, '106.61'), difference: '4.89' },
        { day: '2026-01-20', currency: 'USD', reported: sum(1, '1.10'), relayed: sum(0, '0.00'), difference: '1.10' },
      ]);
      expect(await reader.paidDays({ ...pair, from: Date.UTC(2026, 0, 3), to: Date.UTC(2026, 0, 4) })).toEqual([]);
      const line = (orderPaymentId: string) => found.find((one) => one.orderPaymentId === orderPaymentId);
      expect(line('amount')).toMatchObject({
        transactionId: 'tx-amount-undefined',
        reported: { status: 'paid', amount: '1.1', currency: 'USD', at: Date.UTC(2026, 0, 2, 12) },
        seen: { status: 'paid', amount: '1.11', currency: 'USD', at },
      });
      expect([line('only-seen')?.reported, line('only-reported')?.seen]).toEqual([undefined, undefined]);
      const first = await reader.differences(pair, { limit: 3 });
      const rest = await reader.differences(pair, { limit: 50, after: first[2]!.id });
      expect([...first, ...rest]).toEqual(found);
      expect((await reader.differences({ ...pair, kind: 'only_seen' }, { limit: 5 })).map((one) => one.orderPaymentId)).toEqual([
        'only-seen',
      ]);
      expect(await reader.differences({ ...pair, from: Date.UTC(2026, 0, 3), to: Date.UTC(2026, 1, 1) }, { limit: 5 })).toEqual([]);
      expect(
        (await reader.differences({ ...pair, integrationId: 'int_2', to: Date.UTC(2026, 0, 3) }, { limit: 5 }))
          .map((one) => one.kind)
          .sort(),
      ).toEqual(['only_reported', 'only_seen']);
      await expect(reader.differences({ ...pair, integrationId: undefined as unknown as string }, { limit: 5 })).rejects.toThrow(
        'integrationId',
      );
    });
  });
});
