import { PostgresConsentRepository } from '../../../src/adapters/out/postgres/sso/postgres-consent-repository';
import { PostgresDeliveryFigureReader } from '../../../src/adapters/out/postgres/deliveries/postgres-delivery-figure-reader';
import { PostgresDeliveryQueue } from '../../../src/adapters/out/postgres/deliveries/postgres-delivery-queue';
import { PostgresEventOutboxStore } from '../../../src/adapters/out/postgres/deliveries/postgres-event-outbox-store';
import { PostgresExchangeLog } from '../../../src/adapters/out/postgres/exchanges/postgres-exchange-log';
import { PostgresOrderPaymentRepository } from '../../../src/adapters/out/postgres/payments/postgres-order-payment-repository';
import { PostgresPaymentRecordRepository } from '../../../src/adapters/out/postgres/payments/postgres-payment-record-repository';
import { PostgresProofReader } from '../../../src/adapters/out/postgres/readiness/postgres-proof-reader';
import { PostgresUserRecordRepository } from '../../../src/adapters/out/postgres/sso/postgres-user-record-repository';
import { PostgresUserRepository } from '../../../src/adapters/out/postgres/sso/postgres-user-repository';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import { CollectingLog } from '../../support/collecting-log';
import { datedOutbox, setPendingSince } from '../../support/outbox-events';
import { storePairs } from '../../support/postgres/stored-pairs';
import { testBox } from '../../support/postgres/test-box';
import { deliveryFigureReaderContract } from '../deliveries/delivery-figure-reader.contract';
import { onEachDatabase } from '../each-database';
import { paymentRecordRepositoryContract } from '../payments/payment-record-repository.contract';
import { proofReaderContract } from '../credentials/proof-reader.contract';
import { userRecordRepositoryContract } from '../sso/user-record-repository.contract';

onEachDatabase((name, database) => {
  const opened = async () => {
    const { db, wipe } = database();
    await wipe();
    await storePairs(db);
    const box = testBox();
    const audited = () => db.query('select action, subject from audit_log order by id');
    return { db, audited, deps: { db, box, index: await openReferenceIndex(db, box) } };
  };

  deliveryFigureReaderContract(name, async () => {
    const { db, deps } = await opened();
    return {
      figures: new PostgresDeliveryFigureReader(db),
      outbox: datedOutbox(new PostgresEventOutboxStore(deps), setPendingSince(db)),
      queue: new PostgresDeliveryQueue(deps),
      now: () => Date.now(),
    };
  });

  paymentRecordRepositoryContract(name, async () => {
    const { db, deps, audited } = await opened();
    return {
      repository: new PostgresPaymentRecordRepository(deps),
      payments: new PostgresOrderPaymentRepository(deps),
      giveUpEarly: () => db.query('update payment_completions_early set unmatched_since = now()'),
      loseSummaries: () => db.query('update order_payments set sealed_summary = null'),
      audited,
    };
  });

  proofReaderContract(name, async () => {
    const { db, deps } = await opened();
    return {
      proofs: new PostgresProofReader(db),
      payments: new PostgresOrderPaymentRepository(deps),
      keep: async (exchanges) => {
        const log = new PostgresExchangeLog({ db, log: new CollectingLog() });
        exchanges.forEach((exchange) => log.append(exchange));
        await log.close();
      },
      deliverAll: (at) => db.query(`update deliveries set state = 'delivered', ended_at = $1`, [new Date(at)]),
    };
  });

  userRecordRepositoryContract(name, async () => {
    const { deps, audited } = await opened();
    return {
      repository: new PostgresUserRecordRepository(deps),
      users: new PostgresUserRepository(deps),
      consents: new PostgresConsentRepository(deps),
      audited,
    };
  });
});
