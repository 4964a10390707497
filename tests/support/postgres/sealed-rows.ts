import type { DataSource } from 'typeorm';
import { hostAppTable } from '../../../src/adapters/out/postgres/partners/partner-table';
import { PostgresEventOutboxStore } from '../../../src/adapters/out/postgres/deliveries/postgres-event-outbox-store';
import { PostgresEvidenceLinkRepository } from '../../../src/adapters/out/postgres/evidence/postgres-evidence-link-repository';
import { PostgresConsentRepository } from '../../../src/adapters/out/postgres/sso/postgres-consent-repository';
import { PostgresSharedTaskStore } from '../../../src/adapters/out/postgres/sso/postgres-shared-task-store';
import { PostgresIdempotencyStore } from '../../../src/adapters/out/postgres/payments/postgres-idempotency-store';
import { PostgresOrderPaymentRepository } from '../../../src/adapters/out/postgres/payments/postgres-order-payment-repository';
import { PostgresPartnerRepository } from '../../../src/adapters/out/postgres/partners/postgres-partner-repository';
import { PostgresRefusedRequestRepository } from '../../../src/adapters/out/postgres/credentials/postgres-refused-request-repository';
import { PostgresTransactionRepository } from '../../../src/adapters/out/postgres/analytics/postgres-transaction-repository';
import { PostgresUserRepository } from '../../../src/adapters/out/postgres/sso/postgres-user-repository';
import { PostgresUserTokenStore } from '../../../src/adapters/out/postgres/sso/postgres-user-token-store';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import type { SecretCipher } from '../../../src/domain/credentials/ports';
import { defaultHostAppSettings, type HostApp, type HostAppSettings } from '../../../src/domain/partners/host-app';
import { settle } from '../../../src/domain/payments/order-payment';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { Secret } from '../../../src/domain/shared/secret';
import { someEvidence } from '../../contract/evidence/evidence-link-repository.contract';
import { auditOf, credential } from '../../contract/partners/partner-repository.contract';
import { anIntent, key, report } from '../../contract/payments/payment-harness';
import { aRefusal } from '../../contract/credentials/refused-request-repository.contract';
import { CollectingLog } from '../collecting-log';
import { aTransaction } from '../transactions';

const user = (reference: string) => ({ reference, email: `${reference}@example.com` });
const call = { caller: 'host-app:host_1', integrationId: 'int_1', path: '/connect', key: 'once' };
const failure = { kind: 'invalid', code: 'EXPIRED_ACCESS_TOKEN', message: 'gone', details: '{}' };
const digest = Buffer.alloc(32, 1);
const leaseMs = 60_000;

/** Everything that keeps something sealed, over one database and one ring of keys. */
export async function sealedStores(db: DataSource, box: SecretCipher) {
  const deps = { db, box, index: await openReferenceIndex(db, box) };
  return {
    hostApps: new PostgresPartnerRepository<HostApp, HostAppSettings>({ db, box, table: hostAppTable }),
    users: new PostgresUserRepository(deps),
    tokens: new PostgresUserTokenStore(deps),
    consents: new PostgresConsentRepository(deps),
    sharedTasks: new PostgresSharedTaskStore(deps),
    calls: new PostgresIdempotencyStore(deps),
    payments: new PostgresOrderPaymentRepository(deps),
    events: new PostgresEventOutboxStore(deps),
    transactions: new PostgresTransactionRepository(deps),
    evidence: new PostgresEvidenceLinkRepository({ db, box }),
    refused: new PostgresRefusedRequestRepository({ db, box, log: new CollectingLog() }),
  };
}

export type SealedStores = Awaited<ReturnType<typeof sealedStores>>;

/** Puts something into every sealed column; `count` users besides. */
export async function fillSealed(stores: SealedStores, count: number): Promise<void> {
  const slots = (name: string) => ({ current: credential(name), previous: credential(`${name} before`), next: credential(`${name} next`) });
  const credentials = { secret_key: slots('secret'), platform_key: slots('private') };
  await stores.hostApps.create({ id: 'host_1', settings: { ...defaultHostAppSettings, name: 'H' }, credentials }, auditOf('created'));
  for (let i = 0; i < count; i++) await storeUser(stores, `user-${String(i)}`, `access-${String(i)}`);
  await failRefresh(stores, 'user-0');
  const sharedTask = await stores.sharedTasks.claim({ purpose: 'auth-code', key: 'code' }, leaseMs);
  if (sharedTask.state === 'claimed') {
    await stores.sharedTasks.complete({ purpose: 'auth-code', key: 'code' }, sharedTask.lease, new Secret('pair'), leaseMs);
  }
  const claimed = await stores.calls.claim(call, digest, leaseMs);
  if (claimed.state === 'claimed') await stores.calls.finish(call, claimed.lease, { status: 200, body: Buffer.from('answer') });
  await stores.payments.intend(anIntent('pay_1'));
  await stores.payments.open(anIntent('pay_1'), key.orderPaymentId);
  await stores.payments.settle(key, (payment) => settle(payment, report('paid')));
  await stores.payments.settle(key, (payment) => settle(payment, report('failed')));
  await stores.payments.intend(anIntent('pay_2'));
  await stores.payments.settle({ ...key, orderPaymentId: 'op-2' }, (payment) =>
    settle(payment, report('paid', { orderPaymentId: 'op-2' })),
  );
  const body = readJsonText('{"event":1}') as JsonObject;
  await stores.events.add({
    id: 'event_1',
    integrationId: 'int_1',
    receiver: 'miniapp',
    queue: 'miniapp:app_1:event',
    body,
    requestId: 'req-1',
  });
  await stores.transactions.keep([aTransaction({}, { id: 'tx_1' })]);
  await stores.evidence.keep(someEvidence(1), auditOf('shared'));
  stores.refused.keep(aRefusal('exchange_1'), 'X-Signature');
  await stores.refused.flush();
}

export async function storeUser({ users }: SealedStores, reference: string, accessToken: string): Promise<void> {
  const consent = { integrationId: 'int_1', call: 'connect', requestId: 'req-1' };
  const tokens = { accessToken: new Secret(accessToken), refreshToken: new Secret(`refresh of ${accessToken}`) };
  await users.store({ clientId: 'host_1', user: user(reference), consent, tokens, at: Date.now() });
}

async function failRefresh({ tokens }: SealedStores, reference: string): Promise<void> {
  const of = { clientId: 'host_1', reference };
  const stored = await tokens.find(of);
  const run = stored && (await tokens.claimRefresh(of, stored, leaseMs));
  if (run?.state === 'claimed') await tokens.failRefresh(of, run.lease, failure);
}

/** Reads all of it again, as the service does. Throws where something does not open. */
export async function readSealed(stores: SealedStores, count: number): Promise<unknown> {
  const of = { clientId: 'host_1', reference: 'user-0' };
  const stored = await stores.tokens.find(of);
  const users = Array.from({ length: count }, (_, i) => `user-${String(i)}`);
  return {
    credentials: Object.entries((await stores.hostApps.find('host_1'))?.credentials ?? {}).flatMap(([kind, slots]) =>
      Object.entries(slots).map(([slot, value]) => `${kind}.${slot}: ${value.secret.reveal()}`),
    ),
    users: await Promise.all(users.map((reference) => stores.users.find('host_1', reference))),
    tokens: [stored?.accessToken.reveal(), stored?.refreshToken?.reveal()],
    refresh: await stores.tokens.claimRefresh(of, { version: stored?.version ?? '' }, leaseMs),
    consents: await stores.consents.entries({ ...of, integrationId: 'int_1' }),
    sharedTask: ((await stores.sharedTasks.find({ purpose: 'auth-code', key: 'code' })) as { value?: Secret }).value?.reveal(),
    answer: await stores.calls.claim(call, digest, leaseMs),
    payment: await stores.payments.find(key),
    refused: await stores.refused.find('exchange_1', 0),
    evidence: await stores.evidence.open('token-1', 1_700_000_000_002, () => auditOf('opened')),
    early: await stores.payments.open(anIntent('pay_2'), 'op-2'),
    transaction: await stores.transactions.find({ integrationId: 'int_1', transactionId: aTransaction().report.transactionId }),
  };
}
