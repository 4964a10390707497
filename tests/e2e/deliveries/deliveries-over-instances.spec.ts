import { resolve } from '../../../src/composition/tokens/token';
import { T } from '../../../src/composition/tokens/tokens';
import type { Pair } from '../../support/signatures/a-pair';
import { databaseKinds } from '../../support/postgres/database';
import { startTestService, until, type TestService } from '../../support/service/service';
import { json } from '../../support/partners/stub-behaviours';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

// The embedded database serves one process: without a Postgres there are no two of them.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('two instances', () => {
  let first: TestService;
  let second: TestService;
  let hostApp: StubPayingHostApp;
  let miniapp: StubMiniapp;
  let pair: Pair;

  beforeEach(async () => {
    first = await startTestService({ kind: 'postgres' });
    second = await startTestService({ database: first.database });
    [hostApp, miniapp] = [await new StubPayingHostApp().start(), await new StubMiniapp().start()];
    miniapp.on('/webhook', json({}));
    pair = await aPayingPair(first, hostApp, { miniapp: { webhook_url: `${miniapp.url}/webhook` } });
    const feed = resolve(second.composed.container, T.partnerFeed);
    await until(
      async () => feed.covers(performance.now()),
      (live) => live,
    );
  });
  afterEach(async () => {
    await second.close();
    await first.close();
    await Promise.all([hostApp.stop(), miniapp.stop()]);
  });

  const complete = async (): Promise<string> => {
    const ids = { client_id: pair.clientId, app_id: pair.appId };
    const order = { currency: 'USD', amount: '1.10' };
    const { order_payment_id } = (await first.call('POST', '/api/v1/orders/create-order-payment/', { body: { ...ids, order } })).body;
    const body = { ...ids, order_payment_id, payment_status: 'paid' };
    expect((await first.call('POST', '/api/v1/orders/complete-order/', { body, headers: pair.basic })).status).toBe(200);
    return order_payment_id as string;
  };
  const webhookAt = async (): Promise<number> => {
    const [sent] = await until(
      async () => miniapp.at('/webhook'),
      (all) => all.length > 0,
    );
    return sent!.at;
  };
  /** Delivers no more, as one that is about to stop. */
  const rest = (service: TestService) => resolve(service.composed.container, T.deliveryWorker).stop();

  it('deliver for each other: one starts at once with what another left behind', async () => {
    // The notifier of the first reaches nobody: as if it stopped between the commit and the claim.
    resolve(first.composed.container, T.inProcessDeliveryNotifier).subscribe(() => undefined);
    await complete();
    expect(miniapp.at('/webhook')).toHaveLength(0);
    const stoppedAt = Date.now();
    await rest(first);
    expect((await webhookAt()) - stoppedAt).toBeLessThan(5000);
  });

  it('wake parked deliveries, whichever of them got the change', async () => {
    await rest(first);
    const suspend = (status: string) =>
      first.manage('PUT', `integrations/${pair.clientId}/${pair.appId}`, { status, features: { payments: true } });
    const ids = { client_id: pair.clientId, app_id: pair.appId };
    const { order_payment_id } = (
      await first.call('POST', '/api/v1/orders/create-order-payment/', { body: { ...ids, order: { currency: 'USD', amount: '1' } } })
    ).body;
    miniapp.on('/webhook', json({}, { status: 404 }));
    const body = { ...ids, order_payment_id, payment_status: 'paid' };
    await second.call('POST', '/api/v1/orders/complete-order/', { body, headers: pair.basic });
    await webhookAt();
    miniapp.store.length = 0;
    miniapp.on('/webhook', json({}));
    expect((await suspend('suspended')).status).toBe(200);
    await first.database.db.query(`update deliveries set due_at = now()`);
    resolve(second.composed.container, T.deliveryNotifier).notify();
    await until(
      () => first.manage('GET', 'deliveries?state=parked'),
      ({ body: { data } }) => data.length === 1,
    );
    const acceptedAt = Date.now();
    await suspend('accepted');
    expect((await webhookAt()) - acceptedAt).toBeLessThan(5000);
  });
});
