import * as deliveries from '../../src/adapters/out/postgres/delivery-statements';
import * as payments from '../../src/adapters/out/postgres/payment-statements';
import type { Statement } from '../../src/adapters/out/postgres/statement';
import { onEachDatabase } from './each-database';

/** By which index each statement must find its rows. A plan that was made on empty tables stays as they grow. */
const lookups: readonly (readonly [Statement, readonly string[]])[] = [
  [payments.findAll, ['order_payments_by_key']],
  [payments.lock, ['order_payments_by_key']],
  [payments.bind, ['order_payments_pkey']],
  [payments.endIntent, ['order_payments_pkey']],
  [payments.settlePayments, ['order_payments_pkey', 'order_payments_pkey']],
  [deliveries.claim, ['deliveries_due', 'deliveries_pkey']],
  [deliveries.claimInto, ['deliveries_due', 'deliveries_pkey', 'deliveries_pkey']],
  [deliveries.claimAsked, ['deliveries_asked', 'deliveries_pkey', 'deliveries_pkey']],
  [deliveries.endDeliveries, ['deliveries_pkey']],
  [deliveries.endDelivery, ['deliveries_pkey']],
  [deliveries.retryDelivery, ['deliveries_pkey']],
  [deliveries.park, ['deliveries_pkey']],
];

onEachDatabase((_name, database) => {
  it.each(lookups.map(([{ name }, indexes]) => [name, indexes] as const))(
    '%s finds its rows by %j on empty tables',
    async (name, indexes) => {
      const statement = lookups.find(([one]) => one.name === name)![0];
      const runner = database().db.createQueryRunner();
      try {
        await runner.query('set plan_cache_mode = force_generic_plan');
        await runner.query(`prepare planned as ${statement.text}`);
        const [{ count }] = await runner.query(
          `select cardinality(parameter_types) as count from pg_prepared_statements where name = 'planned'`,
        );
        const plan: { 'QUERY PLAN': string }[] = await runner.query(`explain execute planned (${Array(count).fill('null').join(', ')})`);
        const lines = plan.map((line) => line['QUERY PLAN']);
        const used = lines.flatMap(
          (line) => /Index (?:Only )?Scan (?:Backward )?using ((?:deliveries|order_payments)_\w+)/.exec(line)?.[1] ?? [],
        );
        expect(used.sort()).toEqual([...indexes].sort());
        expect(lines.filter((line) => /(Seq|Bitmap Heap) Scan on (deliveries|order_payments)/.test(line))).toEqual([]);
      } finally {
        await runner.query('deallocate planned');
        await runner.query('reset plan_cache_mode');
        await runner.release();
      }
    },
  );
});
