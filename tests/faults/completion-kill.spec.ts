import { aPairOver, type Pair } from '../support/a-pair';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../support/database';
import { startServiceProcess, type ServiceProcess } from '../support/service-process';
import { json } from '../support/stub-behaviours';
import { StubPayingHostApp } from '../support/stub-payments';
import { StubMiniapp } from '../support/stub-sign-on';

const kills = 100;
/** Completions under way when a process is killed: on the first to the last 200 of them, in turn. */
const batch = 5;
/** A start takes about a second: two are on their way while one is used up. */
const startedAhead = 2;
/** How long the miniapp keeps a webhook before it answers, in milliseconds: longer than it takes to kill. */
const answersAfterMs = 50;

// The embedded database dies with its process; its own kill is in kill-during-connect.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('kill -9 between the 200 of complete-order and its delivery', () => {
  let database: TestDatabase;
  let hostApp: StubPayingHostApp;
  let miniapp: StubMiniapp;
  const alive = new Set<ServiceProcess>();
  beforeAll(async () => {
    database = await openTestDatabase('postgres');
    [hostApp, miniapp] = [await new StubPayingHostApp().start(), await new StubMiniapp().start()];
    miniapp.on('/webhook', async (received, response) => {
      await new Promise((resolve) => setTimeout(resolve, answersAfterMs));
      await json({})(received, response);
    });
  });
  afterAll(async () => {
    await Promise.all([...alive].map((one) => one.end('SIGKILL')));
    await Promise.all([hostApp.stop(), miniapp.stop()]);
    await database.close();
  });

  const start = async (): Promise<ServiceProcess> => {
    const url = database.target.kind === 'postgres' ? database.target.url : '';
    const service = await startServiceProcess({ DATABASE_URL: url, DELIVERY_TIMEOUT_MS: '1000', MIGRATE: 'off' });
    alive.add(service);
    return service;
  };
  const end = (service: ServiceProcess, signal: NodeJS.Signals): Promise<number | null> => {
    alive.delete(service);
    return service.end(signal);
  };
  const pairOver = ({ url }: ServiceProcess): Promise<Pair> =>
    aPairOver(url, {
      hostApp: hostApp.paymentUrls,
      miniapp: { webhook_url: `${miniapp.url}/webhook`, ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8', '::1'] } },
    });
  const post = async ({ url }: ServiceProcess, pair: Pair, call: string, members: object): Promise<Response> =>
    fetch(`${url}/api/v1/orders/${call}/`, {
      method: 'POST',
      headers: { ...pair.basic, 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_id: pair.clientId, app_id: pair.appId, ...members }),
    });

  const createAll = async (service: ServiceProcess, pair: Pair): Promise<string[]> => {
    const ids: string[] = [];
    const sender = async (): Promise<void> => {
      while (ids.length < kills * batch) {
        const reply = await post(service, pair, 'create-order-payment', { order: { currency: 'USD', amount: '1.10' } });
        ids.push(((await reply.json()) as { order_payment_id: string }).order_payment_id);
      }
    };
    await Promise.all([1, 2, 3, 4].map(sender));
    return ids;
  };

  /** Reports all of them at once and kills the process on its `killOn`-th 200; resolves to those that got one. */
  const completeAndKill = async (service: ServiceProcess, pair: Pair, ids: readonly string[], killOn: number): Promise<string[]> => {
    const acknowledged: string[] = [];
    let killed: Promise<unknown> = Promise.resolve();
    const report = async (id: string): Promise<void> => {
      try {
        const reply = await post(service, pair, 'complete-order', {
          order_payment_id: id,
          payment_status: 'paid',
          custom_attributes: { id },
        });
        if (reply.status !== 200) throw new Error(`complete-order answered ${String(reply.status)}`);
        acknowledged.push(id);
        if (acknowledged.length === killOn) killed = end(service, 'SIGKILL');
      } catch (error) {
        // Cut off by the kill; whatever else it is, there was none.
        if (acknowledged.length < killOn) throw error;
      }
    };
    await Promise.all(ids.map(report));
    await killed;
    return acknowledged;
  };

  /** What the miniapp was told, by payment: each `webhook-id` and body that came. */
  const received = (): Map<string, string[]> => {
    const told = new Map<string, string[]>();
    for (const { headers, body } of miniapp.at('/webhook')) {
      const { order_payment_id: id } = JSON.parse(body.toString()) as { order_payment_id: string };
      told.set(id, [...(told.get(id) ?? []), `${String(headers['webhook-id'])} ${body.toString()}`]);
    }
    return told;
  };
  const stillOwed = async (): Promise<number> =>
    Number((await database.db.query(`select count(*) as n from deliveries where state = 'ready'`))[0].n);

  it('loses nothing that was acknowledged', async () => {
    const ahead = Array.from({ length: startedAhead }, start);
    const first = await start();
    const pair = await pairOver(first);
    const ids = await createAll(first, pair);
    const acknowledged: string[] = [];
    let undelivered = 0;
    for (let kill = 0; kill < kills; kill++) {
      const service = await ahead.shift()!;
      ahead.push(start());
      acknowledged.push(...(await completeAndKill(service, pair, ids.slice(kill * batch, (kill + 1) * batch), 1 + (kill % batch))));
      if ((await stillOwed()) > 0) undelivered++;
    }
    const survivors = [first, ...(await Promise.all(ahead))];
    const giveUpAt = performance.now() + 30_000;
    while ((await stillOwed()) > 0 && performance.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 200));

    const told = received();
    const lost = acknowledged.filter((id) => !told.has(id));
    const repeated = [...told.values()].filter((all) => all.length > 1);
    const altered = repeated.filter((all) => new Set(all).size > 1);
    const counts = {
      ...{ kills, kills_with_something_owed: undelivered, acknowledged: acknowledged.length, lost: lost.length },
      ...{ delivered: told.size, repeated: repeated.length, altered: altered.length, still_owed: await stillOwed() },
    };
    process.stdout.write(`complete-order and kill -9: ${JSON.stringify(counts)}\n`);
    expect(counts).toMatchObject({ lost: 0, altered: 0, still_owed: 0 });
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills);
    expect(undelivered).toBeGreaterThanOrEqual(kills / 2);
    expect([...told.keys()].filter((id) => !ids.includes(id))).toEqual([]);
    expect(await Promise.all(survivors.map((one) => end(one, 'SIGTERM')))).toEqual(survivors.map(() => 0));
  }, 300_000);
});
