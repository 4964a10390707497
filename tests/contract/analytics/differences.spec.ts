import { PostgresTransactionReader } from '../../../src/adapters/out/postgres/analytics/postgres-transaction-reader';
import type { Difference, DifferenceFilter } from '../../../src/domain/analytics/ports';
import { onEachDatabase } from '../each-database';

const pair = { integrationId: 'int_1', clientId: 'host_1', appId: 'app_1' };
const begun = Date.UTC(2026, 0, 2);
const minuteMs = 60_000;
const at = (minutes: string): string => `to_timestamp(${String(begun / 1000)}) + (${minutes}) * interval '1 minute'`;

/** Payments of these numbers, one a minute. */
const payments = (from: number, to: number): string => `
  insert into order_payments (id, integration_id, order_payment_id, creation, status, sealed_order, currency, amount, created_at)
  select 'p' || lpad(n::text, 5, '0'), 'int_1', 'op_' || n, 'opened', 'paid', '\\x00', 'USD', 1.10, ${at('n')}
  from generate_series(${String(from)}, ${String(to)}) n`;

/** Reports on payments of these numbers, `late` minutes after them. */
const reports = (from: number, to: number, { amount = '1.10', late = 0 } = {}): string => `
  insert into miniapp_transactions (id, integration_id, client_id, app_id, transaction_id, content_digest, status, currency, amount, amount_text,
    order_payment_id, sealed_report, at, received_at, request_id)
  select 't' || lpad(n::text, 5, '0') || '${amount}', 'int_1', 'host_1', 'app_1', 'tx_' || n || '_${amount}', sha256(n::text::bytea), 'paid', 'USD',
    ${amount}, '${amount}', 'op_' || n, '\\x00', ${at(`n + ${String(late)}`)}, now(), 'r' from generate_series(${String(from)}, ${String(to)}) n`;

onEachDatabase((name, database) => {
  describe(`differences: ${name}`, () => {
    const filled = async (...statements: readonly string[]): Promise<PostgresTransactionReader> => {
      const { db, wipe } = database();
      await wipe();
      for (const statement of statements) await db.query(statement);
      return new PostgresTransactionReader(db);
    };
    const linesOf = (found: readonly Difference[]): string[] => found.map(({ orderPaymentId, kind }) => `${orderPaymentId} ${kind}`);
    const pageByPage = async (reader: PostgresTransactionReader, limit: number, filter: Partial<DifferenceFilter> = {}) => {
      const seen: Difference[] = [];
      for (;;) {
        const page = await reader.differences({ ...pair, ...filter }, { limit, after: seen.at(-1)?.id });
        seen.push(...page);
        if (page.length < limit) return linesOf(seen);
      }
    };

    it('comes to a few among many that agree, each once', async () => {
      const reader = await filled(
        ...[payments(1, 1000), reports(1, 1, { amount: '2' }), reports(3, 998), reports(999, 999, { amount: '3' }), reports(1001, 1001)],
      );
      const all = ['op_1001 only_reported', 'op_1000 only_seen', 'op_999 different', 'op_2 only_seen', 'op_1 different'];
      for (const limit of [1, 2, 3, 10]) expect(await pageByPage(reader, limit)).toEqual(all);
      expect(await pageByPage(reader, 1, { kind: 'only_seen' })).toEqual(['op_1000 only_seen', 'op_2 only_seen']);
    });

    it('finds many differences, newest first, if one side has far more than the other', async () => {
      const reader = await filled(payments(1, 900), reports(1, 20, { amount: '2' }));
      const found = await pageByPage(reader, 50);
      expect(found).toHaveLength(900);
      expect([found[0], found[879], found[880], found[899]]).toEqual([
        'op_900 only_seen',
        'op_21 only_seen',
        'op_20 different',
        'op_1 different',
      ]);
    });

    it("compares payments and reports of the range with the other side's outside of it", async () => {
      const reader = await filled(payments(1, 2), reports(1, 2, { amount: '2', late: 10 }));
      const [from, to] = [begun + minuteMs, begun + 3 * minuteMs];
      expect(await pageByPage(reader, 1, { from, to })).toEqual(['op_2 different', 'op_1 different']);
      expect(await pageByPage(reader, 1, { from: to, to: begun + 12 * minuteMs })).toEqual(['op_1 different']);
    });

    it('has nothing after a line that it never showed', async () => {
      const reader = await filled(payments(1, 2));
      expect(await reader.differences(pair, { limit: 5, after: 'nothing' })).toEqual([]);
    });
  });
});
