import { aPairOver, type Pair } from '../../support/signatures/a-pair';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';
import { until } from '../../support/service/service';
import { json } from '../../support/partners/stub-behaviours';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import { figure, inThisForm, within } from '../harness/fault-run';
import { Instances } from '../harness/instances';
import { PolledHostApp } from './polled-host-app';

// Three processes on one database: without a Postgres there are none.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

const { payments, cap, seconds } = inThisForm({
  short: { payments: 1000, cap: 100, seconds: 40 },
  long: { payments: 20_000, cap: 200, seconds: 300 },
});
/** One payment of each so many is paid; the others stay in process. */
const paidOf = 4;
/** Of another host app, one falls due each second. */
const besides = 10;

describeOnPostgres('many payments due at one host app, three instances', () => {
  let database: TestDatabase;
  let instances: Instances;
  let [busy, other, miniapp]: [PolledHostApp, PolledHostApp, StubMiniapp] = [] as never;
  beforeAll(async () => {
    database = await openTestDatabase('postgres');
    instances = await Instances.start(database, 3, { RECONCILE_MAX_PER_SECOND: String(cap) });
    busy = new PolledHostApp(100, (id) => (Number(id.split('-')[1]) % paidOf === 0 ? 'paid' : 'in_process'));
    other = new PolledHostApp(100, () => 'in_process');
    miniapp = await new StubMiniapp().start();
    miniapp.on('/webhook', json({ ok: true }));
  }, 60_000);
  afterAll(async () => {
    await instances.stop();
    await Promise.all([busy.stop(), other.stop(), miniapp.stop()]);
    await database.close();
  });

  const pairOf = async (hostApp: PolledHostApp): Promise<Pair> =>
    aPairOver(instances.by(0).url, {
      hostApp: { get_order_payment_status_url: `${await hostApp.start()}/status` },
      miniapp: { webhook_url: `${miniapp.url}/webhook` },
    });
  /** Payments in process for half an hour that nobody asked about; the n-th is due `n` times `apartMs` from now. */
  const due = async ({ clientId, appId }: Pair, count: number, apartMs = 0): Promise<void> => {
    await database.db.query(
      `insert into order_payments (id, integration_id, order_payment_id, creation, status, sealed_order, created_at, polled_host_app, poll_at)
      select 'pay_' || i.client_id || n, i.id, 'op-' || n, 'opened', 'in_process', '', now() - interval '30 minutes', i.client_id,
        now() + n * $4 * interval '1 ms'
      from integrations i, generate_series(1, $3::integer) n where i.client_id = $1 and i.app_id = $2`,
      [clientId, appId, count, apartMs],
    );
  };
  const count = async (condition: string): Promise<number> => {
    const [{ n }] = await database.db.query(`select count(*)::integer as n from order_payments where ${condition}`);
    return n as number;
  };

  it(
    'polls each payment once in time and below the cap, without delaying another host app',
    async () => {
      const startedAt = performance.now();
      const [busyPair, otherPair] = [await pairOf(busy), await pairOf(other)];
      const begun = Date.now();
      await due(busyPair, payments);
      await due(otherPair, besides, 1000);
      const polled = async () => busy.polls.length + other.polls.length;
      await until(polled, (polls) => polls >= payments + besides, seconds * 1000);
      await until(
        () => count('polls > 0'),
        (count) => count === payments + besides,
      );
      const late = other.polls.map(({ id, at }) => at - begun - Number(id.split('-')[1]) * 1000);
      const counts = {
        payments,
        cap,
        polled: new Set(busy.polls.map(({ id }) => id)).size,
        twice: busy.polls.length - new Set(busy.polls.map(({ id }) => id)).size,
        seconds: Math.round(busy.seconds()),
        maxInOneSecond: busy.maxInOneSecond(),
        settled: await count(`status = 'paid' and settled_at is not null`),
        otherHostAppLateMs: Math.max(...late),
      };
      figure('polls', counts, startedAt);
      expect(counts).toMatchObject({ polled: payments, twice: 0, settled: payments / paidOf });
      expect(counts.maxInOneSecond).toBeLessThanOrEqual(cap);
      expect(other.polls).toHaveLength(besides);
      // A look each second, and what a busy machine adds.
      expect(counts.otherHostAppLateMs).toBeLessThan(5000);
    },
    within(90_000, 420_000),
  );
});
