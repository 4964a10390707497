import { PostgresOrderPaymentRepository } from '../../src/adapters/out/postgres/postgres-order-payment-repository';
import { PostgresPaymentFigureRoll } from '../../src/adapters/out/postgres/postgres-payment-figure-roll';
import { PostgresPaymentFigures } from '../../src/adapters/out/postgres/postgres-payment-figures';
import { PostgresTimeShift } from '../../src/adapters/out/postgres/postgres-time-shift';
import { PostgresUserErasure } from '../../src/adapters/out/postgres/postgres-user-erasure';
import { openReferenceIndex } from '../../src/adapters/out/postgres/reference-index';
import { storedPairs, storePairs } from '../support/stored-pairs';
import { testBox } from '../support/test-box';
import { onEachDatabase, onSecondSource } from './each-database';
import { paymentFigureRollContract } from './payment-figure-roll.contract';
import { paymentFiguresContract } from './payment-figures.contract';

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
    const rolls = [new PostgresPaymentFigureRoll(db), new PostgresPaymentFigureRoll(second())] as const;
    const rollAll = async () => {
      for (let more = true; more;) more = await rolls[0].advance(now);
    };
    return { db, deps, rolls, rollAll, figures: new PostgresPaymentFigures(db), payments: new PostgresOrderPaymentRepository(deps) };
  };

  for (const summing of summings) {
    paymentFiguresContract(`${name}, ${summing}`, async () => {
      const { db, rolls, rollAll, figures, payments } = await opened();
      if (summing === 'changes of what is summed') await rollAll();
      const beforeEach = async () => {
        if (summing === 'half-way through') await rolls[0].advance(now);
        if (summing === 'all summed') await rollAll();
      };
      return {
        figures: { count: (request) => beforeEach().then(() => figures.count(request)) },
        payments,
        integrations: ['int_1', 'int_2', 'int_3', 'int_removed'],
        receive: (id) => db.query(`update deliveries set state = 'delivered', ended_at = now() where id = $1`, [id]),
      };
    });
  }

  paymentFigureRollContract(name, async () => {
    const { db, deps, rolls, figures, payments } = await opened();
    const audit = { actor: 'operator', action: 'user.erased', subject: 'user:x', requestId: 'r', at: 1 };
    return {
      ...{ figures, rolls, payments, integrations: ['int_1', 'int_2', 'int_3'] },
      erase: async () => {
        await new PostgresUserErasure(deps).erase({ clientId: 'host_1', reference: 'üser-1' }, () => audit);
      },
      letPass: async (integrationId, ms) => {
        const { clientId, appId } = storedPairs.find(({ id }) => id === integrationId) ?? storedPairs[0];
        await new PostgresTimeShift(db).advance({ clientId, appId, ms }, () => audit);
      },
    };
  });
});
