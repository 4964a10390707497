import { PostgresOrderPaymentRepository } from '../../../src/adapters/out/postgres/payments/postgres-order-payment-repository';
import { PostgresPaymentFigureRollupStore } from '../../../src/adapters/out/postgres/payments/postgres-payment-figure-rollup-store';
import { PostgresPaymentFigureReader } from '../../../src/adapters/out/postgres/payments/postgres-payment-figure-reader';
import { PostgresTimeShiftRepository } from '../../../src/adapters/out/postgres/deliveries/postgres-time-shift-repository';
import { PostgresUserErasureRepository } from '../../../src/adapters/out/postgres/sso/postgres-user-erasure-repository';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import { storedPairs, storePairs } from '../../support/postgres/stored-pairs';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase, onSecondSource } from '../each-database';
import { paymentFigureRollupStoreContract } from './payment-figure-rollup-store.contract';
import { paymentFigureReaderContract } from './payment-figure-reader.contract';

/** When payments are summed: never, before any is there, one step at each question, or all of it then. */
const summings = ['nothing summed', 'changes of what is summed', 'half-way through', 'all summed'] as const;
const now = Date.UTC(2026, 5, 20, 12);

onEachDatabase((name, database) => {
  const second = onSecondSource(name, database);

  const opened = async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const deps = { db, box, index: await openReferenceIndex(db, box) };
    await storePairs(db);
    const rollups = [new PostgresPaymentFigureRollupStore(db), new PostgresPaymentFigureRollupStore(second())] as const;
    const rollUpAll = async () => {
      for (let more = true; more;) more = await rollups[0].advance(now);
    };
    return {
      db,
      deps,
      rollups,
      rollUpAll,
      figures: new PostgresPaymentFigureReader(db),
      payments: new PostgresOrderPaymentRepository(deps),
    };
  };

  for (const summing of summings) {
    paymentFigureReaderContract(`${name}, ${summing}`, async () => {
      const { db, rollups, rollUpAll, figures, payments } = await opened();
      if (summing === 'changes of what is summed') await rollUpAll();
      const beforeEach = async () => {
        if (summing === 'half-way through') await rollups[0].advance(now);
        if (summing === 'all summed') await rollUpAll();
      };
      return {
        figures: { count: (request) => beforeEach().then(() => figures.count(request)) },
        payments,
        integrations: ['int_1', 'int_2', 'int_3', 'int_removed'],
        receive: (id) => db.query(`update deliveries set state = 'delivered', ended_at = now() where id = $1`, [id]),
      };
    });
  }

  describe(`what changes of payments: ${name}`, () => {
    const write = async (text: string): Promise<unknown> => {
      const { db } = database();
      await db.query('delete from payment_figure_changes');
      await db.query(text);
      return db.query('select stage, ms, count from payment_figure_changes order by stage, count, ms');
    };
    beforeEach(async () => {
      const { db } = await opened();
      await db.query(`
        insert into order_payments (id, integration_id, creation, status, sealed_order, created_at)
        select n, 'int_1', case when n = 3 then 'repeated' else 'opened' end, 'in_process', '', '2026-06-20T12:00:00Z' from generate_series(1, 5) n`);
    });

    it('is noted together where it counts the same, for all that a statement writes', async () => {
      const settle = `
        update order_payments set status = case when id = '1' then 'in_process' else 'paid' end,
          settled_at = case when id <> '1' then created_at + interval '1 s' * case when id = '5' then 2 else 1 end end`;
      expect(await write(settle)).toEqual([
        { stage: 'accepted', ms: null, count: -3 },
        { stage: 'final', ms: 2000, count: 1 },
        { stage: 'final', ms: 1000, count: 2 },
      ]);
    });

    it('is not noted where nothing of it counts', async () => {
      expect(await write(`update order_payments set polls = polls + 1, polled_at = now(), user_reference = null`)).toEqual([]);
      expect(await write(`update order_payments set status = 'paid' where id = '3'`)).toEqual([]);
      expect(await write(`update order_payments set status = 'paid' where id = 'nobody'`)).toEqual([]);
    });
  });

  paymentFigureRollupStoreContract(name, async () => {
    const { db, deps, rollups, figures, payments } = await opened();
    const audit = { actor: 'operator', action: 'user.erased', subject: 'user:x', requestId: 'r', at: 1 };
    return {
      ...{ figures, rollups, payments, integrations: ['int_1', 'int_2', 'int_3'] },
      erase: async () => {
        await new PostgresUserErasureRepository(deps).erase({ clientId: 'host_1', reference: 'üser-1' }, () => audit);
      },
      letPass: async (integrationId, ms) => {
        const { clientId, appId } = storedPairs.find(({ id }) => id === integrationId) ?? storedPairs[0];
        await new PostgresTimeShiftRepository(db).advance({ clientId, appId, ms }, () => audit);
      },
    };
  });
});
