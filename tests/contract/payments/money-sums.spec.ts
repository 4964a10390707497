import * as fc from 'fast-check';
import { PostgresMoneyRollupStore } from '../../../src/adapters/out/postgres/money/postgres-money-rollup-store';
import { PostgresOrderPaymentRepository } from '../../../src/adapters/out/postgres/payments/postgres-order-payment-repository';
import { PostgresTransactionRepository } from '../../../src/adapters/out/postgres/analytics/postgres-transaction-repository';
import { PostgresTransactionReader } from '../../../src/adapters/out/postgres/analytics/postgres-transaction-reader';
import { PostgresUserErasureRepository } from '../../../src/adapters/out/postgres/sso/postgres-user-erasure-repository';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import type { ReportedStatus } from '../../../src/domain/analytics/transaction-report';
import { settle } from '../../../src/domain/payments/order-payment';
import { days, isOf, isWithin, lines, lineText, money, type Kept } from '../../support/payments/money-by-hand';
import { storedPairs, storePairs } from '../../support/postgres/stored-pairs';
import { testBox } from '../../support/postgres/test-box';
import { aTransaction } from '../../support/transactions';
import { onEachDatabase, onSecondSource } from '../each-database';
import { anIntent, report } from './payment-harness';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const now = Date.UTC(2026, 5, 20, 12, 34, 56, 789);

/** Many on the edge of an hour or a day, some late by years. */
const agoMs = fc.oneof(
  fc.integer({ min: 0, max: 3 * dayMs }),
  fc.integer({ min: -1, max: 80 }).chain((hours) => fc.constantFrom(-1, 0, 1).map((ms) => (now % hourMs) + hours * hourMs + ms)),
  fc.integer({ min: 0, max: 4 }).chain((days) => fc.constantFrom(-1, 0, 1).map((ms) => (now % dayMs) + days * dayMs + ms)),
  fc.integer({ min: 300 * dayMs, max: 1000 * dayMs }),
);
const pair = fc.nat({ max: 2 });
const cents = fc.integer({ min: 1, max: 99_999 });
const currency = fc.constantFrom('USD', 'usd', 'EUR');
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      ...{ agoMs, pair, cents, currency },
      status: fc.constantFrom<ReportedStatus>('paid', 'refunded', 'failed'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pay' as const), agoMs, pair, cents, currency }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('begin' as const), agoMs, pair, cents, currency }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('sum' as const), by: fc.constantFrom('one' as const, 'both' as const, 'all' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const question = fc.record({
  from: fc.option(
    agoMs.map((ago) => now - ago),
    { nil: undefined },
  ),
  to: fc.option(
    agoMs.map((ago) => now - ago),
    { nil: undefined },
  ),
  whose: fc.constantFrom({}, { clientId: 'host_1' }, { appId: 'app_1' }, { clientId: 'host_1', appId: 'app_2' }),
  limit: fc.integer({ min: 1, max: 4 }),
});

onEachDatabase((name, database) => {
  const second = onSecondSource(name, database);

  const opened = async () => {
    const { db, wipe } = database();
    await wipe();
    await storePairs(db);
    const box = testBox();
    const deps = { db, box, index: await openReferenceIndex(db, box) };
    const erasure = new PostgresUserErasureRepository(deps);
    const payments = new PostgresOrderPaymentRepository(deps);
    const [reports, paid]: [Kept[], Kept[]] = [[], []];
    let count = 0;
    const begin = async ({ agoMs: ago, pair: of, cents: all, currency: code }: Kept & { agoMs: number }) => {
      const [id, { id: integrationId }] = [`pay_${String(++count)}`, storedPairs[of]!];
      const order = { ...anIntent().order, fields: { ...anIntent().order.fields, currency: code, amount: money(all) } };
      const intent = anIntent(id, { integrationId, at: now - ago, order });
      await payments.intend(intent);
      await payments.open(intent, `op-${id}`);
      return { integrationId, orderPaymentId: `op-${id}` };
    };
    return {
      ...{ db, reports, paid, reader: new PostgresTransactionReader(db), repository: new PostgresTransactionRepository(deps), begin },
      rollups: [new PostgresMoneyRollupStore(db), new PostgresMoneyRollupStore(second())] as const,
      pay: async (one: Kept & { agoMs: number }) => {
        const key = await begin(one);
        await payments.settle(key, (stored) => settle(stored, report('paid', { orderPaymentId: key.orderPaymentId, at: now })));
      },
      erase: () =>
        erasure.erase({ clientId: 'host_1', reference: 'üser-1' }, () => ({
          at: now,
          actor: 'a',
          action: 'b',
          subject: 'c',
          requestId: 'r',
        })),
    };
  };
  type Opened = Awaited<ReturnType<typeof opened>>;

  const carryOut = async (one: Action, { rollups, reports, paid, repository, pay, begin, erase }: Opened): Promise<unknown> => {
    if (one.do === 'erase') return erase();
    if (one.do === 'sum') {
      const at = rollups.slice(0, one.by === 'both' ? 2 : 1);
      for (let more = true; more; more = more && one.by === 'all')
        more = (await Promise.all(at.map((rollup) => rollup.advance()))).some(Boolean);
      return;
    }
    const kept = { ...one, at: now - one.agoMs, status: one.do === 'report' ? one.status : 'paid' };
    if (one.do === 'begin') {
      await begin(kept);
      return;
    }
    if (one.do === 'pay') {
      paid.push(kept);
      return pay(kept);
    }
    reports.push(kept);
    const { id: integrationId, ...rest } = storedPairs[one.pair]!;
    const reported = {
      transactionId: `tx-${String(reports.length)}`,
      status: one.status,
      currency: one.currency,
      amount: money(one.cents),
    };
    const times = { shipping: '1.10', tax: undefined, discount: undefined, occurredAt: new Date(kept.at).toISOString() };
    await repository.keep([aTransaction({ ...reported, ...times }, { integrationId, ...rest })]);
    // The same once more is not counted again.
    await repository.keep([aTransaction({ ...reported, ...times }, { integrationId, ...rest })]);
  };

  describe(`sums of money: ${name}`, () => {
    it('equal a plain addition, whatever is summed and whenever it comes', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(action, { minLength: 5, maxLength: 40 }),
          fc.array(question, { minLength: 1, maxLength: 4 }),
          async (actions, questions) => {
            const harness = await opened();
            for (const one of actions) await carryOut(one, harness);
            const { reader, reports, paid } = harness;
            for (const { from, to, whose, limit } of questions) {
              const found: string[] = [];
              for (let after: string | undefined, size = limit; size === limit;) {
                const page = await reader.summary(
                  { ...whose, ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
                  { limit, after },
                );
                found.push(...page.map(lineText));
                [after, size] = [page.at(-1)?.id, page.length];
              }
              expect(found).toEqual(lines(reports.filter((one) => isOf(one, whose) && isWithin(one, from, to))));
              const { id: integrationId, ...key } = storedPairs[0];
              const window = [from ?? now - 31 * dayMs, to ?? now + dayMs] as const;
              const own = (some: readonly Kept[]) => some.filter((one) => one.pair === 0 && isWithin(one, ...window));
              const counted = own(reports).filter(({ status }) => status !== 'failed');
              expect(await reader.paidDays({ integrationId, ...key, from: window[0], to: window[1] })).toEqual(days(counted, own(paid)));
            }
          },
        ),
        { numRuns: 25 },
      );
    }, 60_000);

    it('lose nothing, and count nothing twice, while reports come and two sum', async () => {
      const { rollups, repository, reader } = await opened();
      let isRunning = true;
      const summing = rollups.map(async (rollup) => {
        while (isRunning) await rollup.advance();
      });
      const counts: number[] = [];
      for (let i = 0; i < 60; i += 10) {
        const at = (n: number): string => new Date(now - (n % 5) * hourMs).toISOString();
        await Promise.all(
          Array.from({ length: 10 }, (_, n) =>
            repository.keep([aTransaction({ transactionId: `tx-${String(i + n)}`, occurredAt: at(n) })]),
          ),
        );
        counts.push((await reader.summary({}, { limit: 9 })).reduce((all, { count }) => all + count, 0));
      }
      isRunning = false;
      await Promise.all(summing);
      expect(counts).toEqual([10, 20, 30, 40, 50, 60]);
    });

    it('follow a payment that is paid no more, or for something else', async () => {
      const { db, rollups, pay, reader } = await opened();
      await pay({ agoMs: 0, at: now, pair: 0, cents: 500, currency: 'USD', status: 'paid' });
      while (await rollups[0].advance());
      const { id: integrationId, ...key } = storedPairs[0];
      const relayed = async () =>
        (await reader.paidDays({ integrationId, ...key, from: now - dayMs, to: now + dayMs })).map((day) => day.relayed);
      await db.query('update order_payments set amount = 7');
      expect(await relayed()).toEqual([{ count: 1, amount: '7.00' }]);
      while (await rollups[1].advance());
      expect(await relayed()).toEqual([{ count: 1, amount: '7.00' }]);
      await db.query('delete from order_payments');
      expect(await relayed()).toEqual([]);
      expect(await db.query('select integration_id, currency, count, amount from paid_changes')).toEqual([
        { integration_id: 'int_1', currency: 'USD', count: '-1', amount: '-7' },
      ]);
    });

    it('are finished and complete once a reader has seen the end', async () => {
      const { rollups, repository, reader } = await opened();
      await repository.keep([aTransaction()]);
      let rounds = 0;
      while ((await Promise.all(rollups.map((rollup) => rollup.advance()))).some(Boolean)) expect(++rounds).toBeLessThan(10);
      expect(await reader.summary({}, { limit: 5 })).toMatchObject([{ count: 1, amount: '12345678901234567.10' }]);
      await repository.keep([aTransaction({ transactionId: 'tx-old', occurredAt: '1970-01-01T00:00:00Z' })]);
      expect(await reader.summary({}, { limit: 5 })).toMatchObject([{ count: 1 }, { day: '1970-01-01', count: 1 }]);
      expect(await rollups[1].advance()).toBe(false);
      expect(await reader.summary({}, { limit: 5 })).toMatchObject([{ count: 1 }, { day: '1970-01-01', count: 1 }]);
    });
  });
});
