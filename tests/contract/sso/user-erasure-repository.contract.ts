import type { TransactionRepository } from '../../../src/domain/analytics/ports';
import type { AuditEntry } from '../../../src/domain/partners/ports';
import { settle } from '../../../src/domain/payments/order-payment';
import { Secret } from '../../../src/domain/shared/secret';
import type { Removed, UserErasureRepository } from '../../../src/domain/sso/erase-user';
import type { ConsentRepository, UserRepository, UserTokenStore } from '../../../src/domain/sso/ports';
import { aTransaction } from '../../support/transactions';
import { notIds } from '../each-database';
import { anIntent, key, report, type PaymentHarness } from '../payments/payment-harness';

export interface ErasureHarness extends Pick<PaymentHarness, 'payments' | 'disagreements'> {
  readonly erasure: UserErasureRepository;
  readonly users: UserRepository;
  readonly tokens: UserTokenStore;
  readonly consents: ConsentRepository;
  readonly transactions: TransactionRepository;
  /** Makes the integrations int_1 and int_2 of host_1, and int_3 of host_2. */
  integrate(): Promise<void>;
  audited(): Promise<readonly AuditEntry[]>;
}

const reference = 'üser-1';
const user = { clientId: 'host_1', reference };
const nothing: Removed = {
  ...{ users: 0, tokens: 0, consents: 0, consentEntries: 0 },
  ...{ payments: 0, reports: 0, deliveries: 0, pendingDeliveries: 0 },
};

/** What the operator may rely on, with any store. */
export function userErasureRepositoryContract(name: string, open: () => Promise<ErasureHarness>): void {
  describe(`UserErasureRepository: ${name}`, () => {
    let harness: ErasureHarness;
    beforeEach(async () => {
      harness = await open();
      await harness.integrate();
    });

    const audit = (removed: Removed, alias: string): AuditEntry => {
      return {
        actor: 'operator',
        action: 'user.erased',
        subject: `user:${alias}`,
        after: removed,
        requestId: 'req-1',
        at: 1_700_000_000_000,
      };
    };
    const erase = (who = user) => harness.erasure.erase(who, audit);
    const signOn = async (clientId: string, integrationId: string, who = reference) => {
      const consent = { integrationId, call: 'connect', requestId: 'r' };
      const tokens = { accessToken: new Secret('a'), refreshToken: new Secret('b') };
      await harness.users.store({ clientId, user: { reference: who, email: 'a@example.com' }, consent, tokens, at: 1 });
    };
    const known = async (clientId: string, who = reference) => [
      (await harness.users.find(clientId, who))?.email,
      (await harness.tokens.find({ clientId, reference: who }))?.accessToken.reveal(),
    ];
    const pay = async (id: string, integrationId = 'int_1', hostappUserId: string | undefined = reference) => {
      const { order } = anIntent();
      const clientId = integrationId === 'int_3' ? 'host_2' : 'host_1';
      const intent = anIntent(id, { integrationId, clientId, order: { ...order, fields: { ...order.fields, hostappUserId } } });
      await harness.payments.intend(intent);
      await harness.payments.open(intent, `op-${id}`);
      return { integrationId, orderPaymentId: `op-${id}` };
    };

    it('removes user, tokens and consents, at every miniapp of the host app', async () => {
      await signOn('host_1', 'int_1');
      await signOn('host_1', 'int_2');
      await harness.consents.record({
        clientId: 'host_1',
        integrationId: 'int_1',
        reference,
        granted: false,
        call: 'revoke',
        requestId: 'r',
        at: 2,
      });
      expect(await erase()).toEqual({ ...nothing, users: 1, tokens: 1, consents: 2, consentEntries: 3 });
      expect(await known('host_1')).toEqual([undefined, undefined]);
      for (const integrationId of ['int_1', 'int_2']) {
        expect(await harness.consents.entries({ clientId: 'host_1', integrationId, reference })).toEqual([]);
        expect(await harness.consents.isGranted({ clientId: 'host_1', integrationId, reference })).toBe(false);
      }
    });

    it('leaves other users, and the user of that name at another host app', async () => {
      await signOn('host_2', 'int_3');
      await signOn('host_1', 'int_1', 'user-2');
      const payment = await pay('pay_3', 'int_3');
      const other = await pay('pay_4', 'int_1', 'user-2');
      expect(await erase()).toEqual(nothing);
      expect([await known('host_2'), await known('host_1', 'user-2')]).toEqual([
        ['a@example.com', 'a'],
        ['a@example.com', 'a'],
      ]);
      expect(await harness.consents.isGranted({ clientId: 'host_2', integrationId: 'int_3', reference })).toBe(true);
      expect((await harness.payments.find(payment))?.userReference).toBe(reference);
      expect((await harness.payments.find(other))?.userReference).toBe('user-2');
    });

    it('keeps a payment and its result, without the user and the details', async () => {
      const { orderPaymentId, integrationId } = await pay('pay_1');
      const of = { integrationId, orderPaymentId };
      const completion = report('paid', { orderPaymentId });
      await harness.payments.settle(of, (payment) => settle(payment, completion));
      await harness.payments.settle(of, (payment) => settle(payment, { ...completion, word: 'failed' }));
      await pay('pay_2', 'int_2');
      expect(await erase()).toMatchObject({ payments: 2, pendingDeliveries: 1 });
      const { failReason: _reason, customAttributes: _attributes, ...left } = completion;
      const payment = await harness.payments.find(of);
      expect([payment?.status, payment?.completion]).toEqual(['paid', left]);
      expect(payment).not.toHaveProperty('userReference');
      expect((await harness.disagreements()).map(({ kind, report: kept }) => [kind, kept])).toEqual([
        ['conflict', { ...left, word: 'failed' }],
      ]);

      const again = await harness.payments.settle(of, (payment) => settle(payment, completion));
      expect([again.outcome, (await harness.disagreements()).length]).toEqual(['repeated', 1]);
    });

    it('keeps reports of transactions without the user', async () => {
      await pay('pay_1');
      const reports = [
        aTransaction({ transactionId: 'tx-1', orderPaymentId: undefined, userReference: reference }),
        aTransaction({ transactionId: 'tx-2', orderPaymentId: 'op-pay_1', userReference: undefined }),
        aTransaction({ transactionId: 'tx-3', orderPaymentId: undefined, userReference: 'user-2' }),
      ];
      await harness.transactions.keep(reports);
      expect(await erase()).toMatchObject({ payments: 1, reports: 2 });
      for (const [i, { report: completion }] of reports.entries()) {
        const kept = await harness.transactions.find({ integrationId: 'int_1', transactionId: completion.transactionId });
        const { userReference: _u, customer: _c, items: _i, customAttributes: _a, ...left } = completion;
        expect(kept?.report).toEqual(i === 2 ? completion : left);
      }
      expect(await harness.transactions.keep(reports)).toEqual([]);
      const [first] = reports as [ReturnType<typeof aTransaction>];
      expect(await harness.transactions.keep([{ ...first, report: { ...first.report, amount: '7' } }])).toEqual(['tx-1']);
    });

    it('leaves nothing of a user with more payments than go at once', async () => {
      for (let i = 0; i < 101; i++) await pay(`pay_${String(i)}`, i % 2 ? 'int_1' : 'int_2');
      expect(await erase()).toEqual({ ...nothing, payments: 101 });
      expect(await erase()).toEqual(nothing);
    });

    it('gives the same answer for an erased and an unknown user, and audits each', async () => {
      await signOn('host_1', 'int_1');
      await erase();
      expect(await erase()).toEqual(nothing);
      expect(await erase({ clientId: 'host_1', reference: 'nobody' })).toEqual(nothing);
      expect(await erase({ clientId: 'host_9', reference })).toEqual(nothing);
      const entries = await harness.audited();
      expect(entries.map(({ action }) => action)).toEqual(Array(4).fill('user.erased'));
      const [first, second, ...others] = entries.map(({ subject }) => subject);
      expect(first).toMatch(/^user:[0-9a-f]{64}$/);
      expect([second, new Set([first, ...others]).size]).toEqual([first, 3]);
      expect(JSON.stringify(entries)).not.toContain(reference);
    });

    it('lets the user sign on anew together with others, whole', async () => {
      const again = (who: string, requestId: string) => {
        const consent = { integrationId: 'int_1', call: 'connect', requestId };
        return harness.users.store({ clientId: 'host_1', user: { reference: who, email: requestId }, consent, at: 1 });
      };
      const others = ['user-2', 'user-3', 'user-4'];
      await Promise.all([reference, ...others].map((who) => again(who, 'first')));
      await erase();
      await Promise.all([...others, reference].map((who) => again(who, 'second')));
      for (const who of [reference, ...others]) {
        expect(await harness.users.find('host_1', who)).toEqual({ reference: who, email: 'second' });
        const entries = await harness.consents.entries({ clientId: 'host_1', integrationId: 'int_1', reference: who });
        expect(entries.map(({ reference: whose, requestId }) => [whose, requestId])).toEqual([
          [who, who === reference ? 'second' : 'first'],
        ]);
      }
    });

    it('lets the user sign on again as a new user', async () => {
      await signOn('host_1', 'int_1');
      await erase();
      await signOn('host_1', 'int_1');
      expect(await known('host_1')).toEqual(['a@example.com', 'a']);
      expect(await harness.consents.entries({ clientId: 'host_1', integrationId: 'int_1', reference })).toHaveLength(1);
    });

    it.each(notIds)('never takes %s for an id', async (_what, id) => {
      await signOn('host_1', 'int_1');
      await pay('pay_1', key.integrationId);
      await expect(erase({ clientId: 'host_1', reference: id as string })).rejects.toThrow();
      await expect(erase({ clientId: id as string, reference })).rejects.toThrow();
      expect(await harness.audited()).toEqual([]);
    });
  });
}
