import * as deliveries from '../../../src/adapters/out/postgres/deliveries/delivery-statements';
import * as payments from '../../../src/adapters/out/postgres/payments/payment-statements';
import { claimSharedTasks, completeSharedTasks } from '../../../src/adapters/out/postgres/sso/shared-task-statements';
import { agreementRowVersions, partnerStatements } from '../../../src/adapters/out/postgres/partners/directory-statements';
import { findTokens } from '../../../src/adapters/out/postgres/sso/postgres-user-token-store';
import { storeSignOns, storeSignOnsWithTokens } from '../../../src/adapters/out/postgres/sso/sign-on-statements';
import type { Statement } from '../../../src/adapters/out/postgres/connection/statement';
import { onEachDatabase } from '../each-database';

/** By which index each statement must find its rows. A plan that was made on empty tables stays as they grow. */
const lookups: readonly (readonly [Statement, readonly string[]])[] = [
  [payments.findAll, ['order_payments_by_key']],
  [payments.lock, ['order_payments_by_key']],
  [payments.keepDisagreement, ['order_payments_by_key']],
  [payments.bind, ['order_payments_pkey']],
  [payments.endIntent, ['order_payments_pkey']],
  [payments.settlePayments, ['order_payments_pkey', 'order_payments_pkey']],
  [deliveries.claim, ['deliveries_due', 'deliveries_pkey']],
  [deliveries.claimProbes, ['deliveries_due', 'deliveries_pkey', 'deliveries_pkey']],
  [deliveries.claimRequested, ['deliveries_by_operator', 'deliveries_pkey', 'deliveries_pkey']],
  [deliveries.endDeliveries, ['deliveries_pkey']],
  [deliveries.endDelivery, ['deliveries_pkey']],
  [deliveries.retryDelivery, ['deliveries_pkey']],
  [deliveries.park, ['deliveries_pkey']],
  [partnerStatements['host-app'].rowVersions, ['host_apps_pkey']],
  [partnerStatements.miniapp.rowVersions, ['miniapps_pkey']],
  [agreementRowVersions, ['integrations_pair']],
  [claimSharedTasks, ['shared_tasks_pkey']],
  [completeSharedTasks, ['shared_tasks_pkey']],
  [findTokens, ['user_tokens_pkey']],
  [storeSignOns, ['consents_pkey']],
  [storeSignOnsWithTokens, ['consents_pkey']],
];

const tables = '(?:deliveries|order_payments|host_apps|miniapps|integrations|shared_tasks|user_tokens|consents)';
const usedIndex = new RegExp(`Index (?:Only )?Scan (?:Backward )?using (${tables}_\\w+)`);
const wholeTable = new RegExp(`(Seq|Bitmap Heap) Scan on ${tables}`);

/** All deliveries have ended: the planner knows that none is due, and that the indexes of due ones have grown meanwhile. */
const muchPending = `
  insert into deliveries (id, integration_id, kind, key, queue, body, state, due_at, created_at)
  select 'dlv_' || n, 'int_1', 'completion', 'dlv_' || n, 'miniapp:host_abc123def456/app_abc123:completion', '\\x00', 'ready', now(), now()
  from generate_series(1, 3000) n`;
const endedAll = `update deliveries set state = 'delivered', ended_at = now()`;

/** So many that their keys fill more than one page of an index, and their integration less. */
const fewPayments = `
  insert into order_payments (id, integration_id, order_payment_id, creation, status, sealed_order, created_at)
  select 'pay_' || n, repeat('i', 32), repeat('p', 24) || n, 'opened', 'in_process', '\\x00', now() from generate_series(1, 150) n`;

onEachDatabase((_name, database) => {
  const cases = lookups.map(([{ name }, indexes]) => [name, indexes] as const);

  it.each(cases)('%s finds its rows by %j on empty tables', async (name, indexes) => {
    await expectPlan(name, indexes);
  });

  describe('where many deliveries have ended and none is pending', () => {
    beforeAll(async () => {
      const { db, wipe } = database();
      await wipe();
      for (const statement of [muchPending, endedAll, 'vacuum analyze deliveries']) await db.query(statement);
    });
    afterAll(async () => {
      const { db, wipe } = database();
      await wipe();
      await db.query('analyze deliveries');
    });

    it.each(cases.filter(([name]) => name.startsWith('deliveries.')))('%s finds its rows by %j', async (name, indexes) => {
      await expectPlan(name, indexes);
    });
  });

  describe('where a first few payments of one integration were made', () => {
    beforeAll(async () => {
      const { db, wipe } = database();
      await wipe();
      await db.query(fewPayments);
    });
    afterAll(() => database().wipe());

    it('payments are opened without reading a table as a whole', async () => {
      const runner = database().db.createQueryRunner();
      const scans = (): Promise<unknown> =>
        runner.query(
          `select relname, seq_scan::integer as seq_scan from pg_stat_xact_user_tables
           where relname in ('order_payments', 'payment_completions_early') order by relname`,
        );
      await runner.startTransaction();
      try {
        await runner.query('set local plan_cache_mode = force_generic_plan');
        const before = await scans();
        await runner.query(`select * from open_order_payments(array['pay_1'], array['int_1'], array['op-1'], 1)`);
        expect(await scans()).toEqual(before);
      } finally {
        await runner.rollbackTransaction();
        await runner.release();
      }
    });

    it.each(cases.filter(([name]) => name.startsWith('payments.')))('%s finds its rows by %j', async (name, indexes) => {
      await expectPlan(name, indexes);
    });
  });

  async function expectPlan(name: string, indexes: readonly string[]): Promise<void> {
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
      const used = lines.flatMap((line) => usedIndex.exec(line)?.[1] ?? []);
      expect(used.sort()).toEqual([...indexes].sort());
      expect(lines.filter((line) => wholeTable.test(line))).toEqual([]);
    } finally {
      await runner.query('deallocate planned');
      await runner.query('reset plan_cache_mode');
      await runner.release();
    }
  }
});
