import { aPairOver, type Pair } from '../../support/signatures/a-pair';
import { databaseKinds, openTestDatabase } from '../../support/postgres/database';
import { until } from '../../support/service/service';
import { startServiceProcess, type ServiceProcess } from '../../support/service/service-process';
import { hangBeforeHeaders, json } from '../../support/partners/stub-behaviours';
import { StubPayingHostApp } from '../../support/partners/stub-payments';

const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;
const kills = 3;

const create = async ({ url }: ServiceProcess, { clientId, appId }: Pair, key: string) => {
  const body = JSON.stringify({ client_id: clientId, app_id: appId, order: { currency: 'USD', amount: '1.10' } });
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  const reply = await fetch(`${url}/api/v1/orders/create-order-payment/`, { method: 'POST', headers, body });
  const answer = (await reply.json()) as { error_code?: string; custom_attributes?: { outcome?: string } };
  return { status: reply.status, replayed: reply.headers.get('idempotency-replayed'), ...answer };
};

describeOnPostgres('kill -9 between the start of a call with an Idempotency-Key and its answer', () => {
  it('never runs the call again, and says that the outcome is unknown', async () => {
    const database = await openTestDatabase('postgres');
    const hostApp = await new StubPayingHostApp().start();
    const env = { DATABASE_URL: database.target.kind === 'postgres' ? database.target.url : '' };
    const watcher = await startServiceProcess(env);
    const pair = await aPairOver(watcher.url, {
      hostApp: hostApp.paymentUrls,
      miniapp: { ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8'] } },
    });
    for (let round = 1; round <= kills; round++) {
      const key = `key-${String(round)}`;
      const victim = await startServiceProcess(env);
      hostApp.on('/create', hangBeforeHeaders);
      const lost = create(victim, pair, key).catch(() => 'no answer');
      await until(
        async () => hostApp.at('/create').length,
        (seen) => seen === round,
      );
      expect(await create(watcher, pair, key)).toMatchObject({ status: 400, error_code: 'IDEMPOTENCY_IN_PROGRESS' });
      await victim.end('SIGKILL');
      expect(await lost).toBe('no answer');
      hostApp.on('/create', json({ order_payment_id: 'a-second-one' }));
      expect(await create(watcher, pair, key)).toMatchObject({ status: 400, error_code: 'IDEMPOTENCY_IN_PROGRESS' });
      // As 25 seconds would.
      await database.db.query(`update idempotent_calls set lease_until = now() - interval '1 s' where status is null`);
      for (let again = 0; again < 2; again++) {
        const reply = await create(watcher, pair, key);
        expect(reply).toMatchObject({ status: 500, error_code: 'UNKNOWN_ERROR', custom_attributes: { outcome: 'unknown' } });
      }
    }
    const counts = { kills, created: hostApp.at('/create').length };
    process.stdout.write(`kill -9 during calls with an Idempotency-Key: ${JSON.stringify(counts)}\n`);
    expect(counts).toEqual({ kills, created: kills });
    expect(await watcher.end('SIGTERM')).toBe(0);
    await Promise.all([hostApp.stop(), database.close()]);
  }, 120_000);
});
