import { mapInTurns } from '../../../src/adapters/json/in-turns';
import { randomUUID } from 'node:crypto';
import { MemoryConsentRepository } from '../../../src/adapters/out/memory/sso/memory-consent-repository';
import { MemoryOrderPaymentRepository } from '../../../src/adapters/out/memory/payments/memory-order-payment-repository';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { MemoryTransactionRepository } from '../../../src/adapters/out/memory/analytics/memory-transaction-repository';
import { MemoryUserErasureRepository } from '../../../src/adapters/out/memory/sso/memory-user-erasure-repository';
import { MemoryUserRepository } from '../../../src/adapters/out/memory/sso/memory-user-repository';
import { MemoryUserTokenStore } from '../../../src/adapters/out/memory/sso/memory-user-token-store';
import { PostgresAuditReader } from '../../../src/adapters/out/postgres/audit/postgres-audit-reader';
import { PostgresConsentRepository } from '../../../src/adapters/out/postgres/sso/postgres-consent-repository';
import { PostgresOrderPaymentRepository } from '../../../src/adapters/out/postgres/payments/postgres-order-payment-repository';
import { PostgresRetention } from '../../../src/adapters/out/postgres/operations/postgres-retention';
import { PostgresTransactionRepository } from '../../../src/adapters/out/postgres/analytics/postgres-transaction-repository';
import { PostgresUserErasureRepository } from '../../../src/adapters/out/postgres/sso/postgres-user-erasure-repository';
import { PostgresUserRepository } from '../../../src/adapters/out/postgres/sso/postgres-user-repository';
import { PostgresUserTokenStore } from '../../../src/adapters/out/postgres/sso/postgres-user-token-store';
import { completionFrom, type PaymentConflictRow } from '../../../src/adapters/out/postgres/payments/payment.schema';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import { defaultIntegrationSettings } from '../../../src/domain/partners/integrations/integration';
import { settle } from '../../../src/domain/payments/order-payment';
import { storedPairs, storePairs } from '../../support/postgres/stored-pairs';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase } from '../each-database';
import { anIntent, report } from '../payments/payment-harness';
import { userErasureRepositoryContract, type ErasureHarness } from './user-erasure-repository.contract';

userErasureRepositoryContract('memory', async () => {
  const registry = new MemoryRegistry();
  const consents = new MemoryConsentRepository();
  const tokens = new MemoryUserTokenStore({ clock: Date, ids: { next: randomUUID } });
  const users = new MemoryUserRepository(consents, tokens);
  const payments = new MemoryOrderPaymentRepository(Date);
  const transactions = new MemoryTransactionRepository();
  return {
    ...{ users, tokens, consents, payments, transactions },
    erasure: new MemoryUserErasureRepository({ registry, users, tokens, consents, payments, transactions }),
    integrate: async () => {
      for (const one of storedPairs) registry.integrations.set(one.id, { ...one, version: 1, settings: defaultIntegrationSettings });
    },
    audited: async () => registry.audit,
    disagreements: async () => payments.disagreements,
  };
});

onEachDatabase((name, database) => {
  const inDatabase = async (): Promise<ErasureHarness> => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const deps = { db, box, index: await openReferenceIndex(db, box) };
    return {
      erasure: new PostgresUserErasureRepository(deps),
      users: new PostgresUserRepository(deps),
      tokens: new PostgresUserTokenStore(deps),
      consents: new PostgresConsentRepository(deps),
      payments: new PostgresOrderPaymentRepository(deps),
      transactions: new PostgresTransactionRepository(deps),
      integrate: () => storePairs(db),
      audited: async () => [...(await new PostgresAuditReader(db).list({}, { limit: 100 }))].reverse(),
      disagreements: async () => {
        const rows: PaymentConflictRow[] = await db.query('select * from payment_conflicts order by at');
        return mapInTurns(rows, async ({ completion, report_digest: digest, ...row }) => {
          const { integration_id: integrationId, order_payment_id: orderPaymentId, kind } = row;
          const context = `payment_conflicts.completion:${JSON.stringify([integrationId, orderPaymentId])}/${digest.toString('hex')}`;
          return { integrationId, orderPaymentId, kind, report: await completionFrom(box.open(completion, context)) };
        });
      },
    };
  };
  userErasureRepositoryContract(name, inDatabase);

  describe(`PostgresUserErasureRepository: ${name}`, () => {
    const user = { clientId: 'host_1', reference: 'üser-1' };
    const audit = () => ({ actor: 'operator', action: 'user.erased', subject: 'user:x', requestId: 'r', at: 1 });
    const count = async (table: string): Promise<number> => Number((await database().db.query(`select count(*) as n from ${table}`))[0].n);
    const paid = async ({ payments }: ErasureHarness, id: string) => {
      await payments.intend(anIntent(id));
      await payments.open(anIntent(id), `op-${id}`);
      const of = { integrationId: 'int_1', orderPaymentId: `op-${id}` };
      await payments.settle(of, (payment) => settle(payment, report('paid', of)));
    };

    it('finds consents and payments of integrations that were removed since', async () => {
      const harness = await inDatabase();
      await harness.integrate();
      const consent = { ...user, integrationId: 'int_1', granted: true, call: 'connect', requestId: 'r', at: 1 };
      await harness.consents.record(consent);
      await harness.consents.record({ ...consent, integrationId: 'int_2' });
      await paid(harness, 'pay_1');
      await database().db.query(`delete from integrations where id = 'int_1'`);
      await database().db.query(`delete from host_apps where id = 'host_1'`);
      expect(await harness.erasure.erase(user, audit)).toMatchObject({ consents: 2, consentEntries: 2, payments: 1 });
    });

    it('keeps pending deliveries until they have ended, and removes ended ones at once', async () => {
      const harness = await inDatabase();
      const { db } = database();
      const retention = new PostgresRetention({ db, days: { exchanges: 30, delivered: 30, failed: 90 } });
      await harness.integrate();
      for (const id of ['pay_1', 'pay_2', 'pay_3']) await paid(harness, id);
      await db.query(`update deliveries set state = 'delivered', ended_at = now() where id = 'pay_1'`);
      await db.query(`insert into delivery_attempts (delivery_id, number, at, ms) select id, 1, now(), 1 from deliveries`);
      expect(await harness.erasure.erase(user, audit)).toMatchObject({ payments: 3, deliveries: 1, pendingDeliveries: 2 });
      expect([await count('deliveries'), await count('delivery_attempts')]).toEqual([2, 2]);

      expect(await retention.prune()).toBe(0);
      await db.query(`update deliveries set state = 'failed', ended_at = now() where id = 'pay_2'`);
      expect(await retention.prune()).toBe(1);
      expect(await db.query('select id from deliveries')).toEqual([{ id: 'pay_3' }]);
      await db.query(`update deliveries set state = 'delivered', ended_at = now()`);
      expect(await retention.prune()).toBe(1);
      expect([await count('deliveries'), await count('delivery_attempts'), await count('erased_deliveries')]).toEqual([0, 0, 0]);
    });
  });
});
