import { PostgresConsentLedger } from '../../src/adapters/out/postgres/postgres-consent-ledger';
import { PostgresDeliveryFigures } from '../../src/adapters/out/postgres/postgres-delivery-figures';
import { PostgresDeliveryQueue } from '../../src/adapters/out/postgres/postgres-delivery-queue';
import { PostgresEventOutbox } from '../../src/adapters/out/postgres/postgres-event-outbox';
import { PostgresExchangeLog } from '../../src/adapters/out/postgres/postgres-exchange-log';
import { PostgresOrderPaymentRepository } from '../../src/adapters/out/postgres/postgres-order-payment-repository';
import { PostgresPaymentBook } from '../../src/adapters/out/postgres/postgres-payment-book';
import { PostgresProofBook } from '../../src/adapters/out/postgres/postgres-proof-book';
import { PostgresUserBook } from '../../src/adapters/out/postgres/postgres-user-book';
import { PostgresUserRepository } from '../../src/adapters/out/postgres/postgres-user-repository';
import { openReferenceIndex } from '../../src/adapters/out/postgres/reference-index';
import { CollectingLog } from '../support/collecting-log';
import { datedOutbox, setOwedAt } from '../support/owed';
import { storePairs } from '../support/stored-pairs';
import { testBox } from '../support/test-box';
import { deliveryFiguresContract } from './delivery-figures.contract';
import { onEachDatabase } from './each-database';
import { paymentBookContract } from './payment-book.contract';
import { proofBookContract } from './proof-book.contract';
import { userBookContract } from './user-book.contract';

onEachDatabase((name, database) => {
  const opened = async () => {
    const { db, wipe } = database();
    await wipe();
    await storePairs(db);
    const box = testBox();
    const audited = () => db.query('select action, subject from audit_log order by id');
    return { db, audited, deps: { db, box, index: await openReferenceIndex(db, box) } };
  };

  deliveryFiguresContract(name, async () => {
    const { db, deps } = await opened();
    return {
      figures: new PostgresDeliveryFigures(db),
      outbox: datedOutbox(new PostgresEventOutbox(deps), setOwedAt(db)),
      queue: new PostgresDeliveryQueue(deps),
      now: () => Date.now(),
    };
  });

  paymentBookContract(name, async () => {
    const { db, deps, audited } = await opened();
    return {
      book: new PostgresPaymentBook(deps),
      payments: new PostgresOrderPaymentRepository(deps),
      giveUpEarly: () => db.query('update payment_completions_early set unmatched_since = now()'),
      audited,
    };
  });

  proofBookContract(name, async () => {
    const { db, deps } = await opened();
    return {
      proofs: new PostgresProofBook(db),
      payments: new PostgresOrderPaymentRepository(deps),
      keep: async (exchanges) => {
        const log = new PostgresExchangeLog({ db, log: new CollectingLog() });
        exchanges.forEach((exchange) => log.append(exchange));
        await log.close();
      },
      deliverAll: (at) => db.query(`update deliveries set state = 'delivered', ended_at = $1`, [new Date(at)]),
    };
  });

  userBookContract(name, async () => {
    const { deps, audited } = await opened();
    return {
      book: new PostgresUserBook(deps),
      users: new PostgresUserRepository(deps),
      consents: new PostgresConsentLedger(deps),
      audited,
    };
  });
});
