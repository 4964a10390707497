import { openDatabase } from '../../../src/adapters/out/postgres/connection/open-database';
import { json } from '../partners/stub-behaviours';
import { aPayingPair, StubPayingHostApp } from '../partners/stub-payments';
import { StubMiniapp } from '../partners/stub-sign-on';
import { startTestService, until } from '../service/service';

/** What the service did on a database, in the words of a user of it. */
export interface DailyBusiness {
  /** Statuses of: a sign-on, a payment, its completion. */
  readonly calls: readonly number[];
  /** The webhook has the completion. */
  readonly delivered: boolean;
  /** The search by time finds the calls; the page after the first begins behind it. */
  readonly found: number;
  /** Changes of partners made by other instances are heard. */
  readonly listens: boolean;
  /** What `/health/ready` warns of. */
  readonly warnings: readonly string[];
  /** The chain of the audit trail is whole. */
  readonly whole: boolean;
}

/** Migrates the database of the URL and does with it what a day brings. */
export async function doDailyBusiness(url: string, directUrl?: string): Promise<DailyBusiness> {
  const opened = await openDatabase({ url, directUrl, dataDir: '/nonexistent', migrate: true, onFatal: () => undefined });
  const nothing = (): Promise<void> => Promise.resolve();
  const service = await startTestService({
    database: { db: opened.db, target: { kind: 'postgres', url, directUrl }, wipe: nothing, close: nothing },
  });
  const hostApp = await new StubPayingHostApp().start();
  const miniapp = await new StubMiniapp().start();
  miniapp.on('/webhook', json({}));
  try {
    const pair = await aPayingPair(service, hostApp, { miniappUrl: miniapp.url, miniapp: { webhook_url: `${miniapp.url}/webhook` } });
    const ids = { client_id: pair.clientId, app_id: pair.appId };
    const user_data = { reference: 'user-1', email: 'user@example.com' };
    const connect = await service.call('POST', '/api/v1/connect/', { body: { ...ids, user_data }, headers: pair.basic });
    const order = { currency: 'USD', amount: '1.10' };
    const created = await service.call('POST', '/api/v1/orders/create-order-payment/', { body: { ...ids, order } });
    const result = { order_payment_id: created.body.order_payment_id, payment_status: 'paid' };
    const completed = await service.call('POST', '/api/v1/orders/complete-order/', { body: { ...ids, ...result }, headers: pair.basic });
    const delivery = await until(
      async () => (await service.manage('GET', `deliveries?client_id=${pair.clientId}`)).body.data[0],
      (one) => one?.state === 'delivered',
    );
    const exchanges = await until(
      async () => (await service.manage('GET', `exchanges?client_id=${pair.clientId}&limit=100`)).body.data ?? [],
      (data) => data.length >= 3,
    );
    return {
      calls: [connect.status, created.status, completed.status],
      delivered: delivery.state === 'delivered',
      found: exchanges.length,
      listens: service.logText().includes('change-feed-live'),
      warnings: (await service.call('GET', '/health/ready')).body.warnings ?? [],
      whole: (await service.manage('GET', 'audit/verify')).body.whole,
    };
  } finally {
    await service.close();
    await hostApp.stop();
    await miniapp.stop();
    await opened.close();
  }
}
