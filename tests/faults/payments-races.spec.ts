import { Agent, request } from 'node:http';
import type { Pair } from '../support/a-pair';
import { aPairOver } from '../support/a-pair';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/service';
import { startServiceProcess, type ServiceProcess } from '../support/service-process';
import { json } from '../support/stub-behaviours';
import { StubPayingHostApp } from '../support/stub-payments';
import { StubPartner } from '../support/stub-partner';

// The embedded database serves one process: without a Postgres there are no two of them.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

/** Payments whose completions are repeated, and how often each. */
const repeated = 200;
const repeats = 100;
/** Payments that are said to be paid and to have failed at once. */
const contested = 500;
/** Calls under way at one time. */
const atOnce = 64;

describeOnPostgres('completions that race over two processes', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  let database: TestDatabase;
  let processes: ServiceProcess[];
  let hostApp: StubPayingHostApp;
  let miniapp: StubPartner;
  let pair: Pair;

  beforeAll(async () => {
    database = await openTestDatabase('postgres');
    hostApp = await new StubPayingHostApp().start();
    miniapp = await new StubPartner().on('/webhook', json({})).start();
    const url = database.target.kind === 'postgres' ? database.target.url : '';
    processes = await Promise.all([1, 2].map(() => startServiceProcess({ DATABASE_URL: url, LOG_LEVEL: 'info' })));
    pair = await aPairOver(processes[0]!.url, {
      hostApp: hostApp.paymentUrls,
      miniapp: { ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8'] }, webhook_url: `${miniapp.url}/webhook` },
    });
  });
  afterAll(async () => {
    agent.destroy();
    expect(await Promise.all(processes.map((one) => one.end('SIGTERM')))).toEqual([0, 0]);
    await Promise.all([hostApp.stop(), miniapp.stop(), database.close()]);
  });

  /** Status and body of a call about an order, to either process by turns. */
  const call = (name: string, members: object, turn: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ client_id: pair.clientId, app_id: pair.appId, ...members });
      const headers = { ...pair.basic, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), 'X-Request-Id': 'r' };
      const url = `${processes[turn % 2]!.url}/api/v1/orders/${name}/`;
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(`${String(response.statusCode)} ${text}`));
      });
      sent.on('error', reject);
      sent.end(body);
    });

  const order = { currency: 'USD', amount: '1.10' };
  const created = (count: number): Promise<string[]> =>
    inLanes(count, async (n) => {
      const answer = await call('create-order-payment', { order }, n);
      const id = /^200 \{"order_payment_id":"([^"]+)"\}$/.exec(answer)?.[1];
      if (id === undefined) throw new Error(answer);
      return id;
    });
  const rows = async (of: string): Promise<number> => {
    const [found] = await database.db.query<{ n: number }[]>(`select count(*)::int as n from ${of}`);
    return found?.n ?? -1;
  };
  const webhooks = async (): Promise<Map<string, string[]>> => {
    const byPayment = new Map<string, string[]>();
    for (const { body } of miniapp.at('/webhook')) {
      const { order_payment_id: id, payment_status: word } = JSON.parse(body.toString('utf8')) as Record<string, string>;
      byPayment.set(id!, [...(byPayment.get(id!) ?? []), word!]);
    }
    return byPayment;
  };

  it('a completion that is repeated gets one answer, and its miniapp one webhook', async () => {
    const ids = await created(repeated);
    const began = performance.now();
    const answers = new Map(ids.map((id) => [id, new Set<string>()]));
    // All repeats of a payment stand next to each other, so that they are under way at once.
    await inLanes(repeated * repeats, async (n) => {
      const id = ids[Math.floor(n / repeats)]!;
      answers.get(id)!.add(await call('complete-order', { order_payment_id: id, payment_status: 'paid' }, n));
    });
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const distinct = Math.max(...[...answers.values()].map(({ size }) => size));
    const hooks = await until(webhooks, (found) => found.size >= repeated);
    const most = Math.max(...[...hooks.values()].map(({ length }) => length));
    const counts = {
      payments: repeated,
      completions: repeated * repeats,
      distinctAnswers: distinct,
      webhooks: hooks.size,
      mostForOne: most,
    };
    process.stdout.write(`equal completions over 2 processes in ${seconds} s: ${JSON.stringify(counts)}\n`);
    for (const [id, given] of answers) expect([...given]).toEqual([`200 {"order_payment_id":"${id}","payment_status":"paid"}`]);
    expect([hooks.size, most]).toEqual([repeated, 1]);
    expect(await rows('payment_conflicts')).toBe(0);
  }, 120_000);

  it('of two results at once one is taken, delivered and kept, and the other refused', async () => {
    miniapp.ledger.length = 0;
    const ids = await created(contested);
    const words = ['paid', 'failed'] as const;
    const answers = await inLanes(contested, (n) =>
      Promise.all(words.map((word, i) => call('complete-order', { order_payment_id: ids[n]!, payment_status: word }, n + i))),
    );
    const taken = answers.map((both) => words.filter((_word, i) => both[i]!.startsWith('200 ')));
    const refused = answers.flat().filter((answer) => answer.startsWith('400 {"error_code":"INVALID_PAYMENT_STATUS"'));
    const hooks = await until(webhooks, (found) => found.size >= contested);
    const twoOutcomes = ids.filter((id, n) => taken[n]!.length !== 1 || hooks.get(id)!.join() !== taken[n]!.join());
    const paid = taken.filter(([word]) => word === 'paid').length;
    const counts = { payments: contested, paid, failed: contested - paid, refused: refused.length, twoOutcomes: twoOutcomes.length };
    process.stdout.write(`paid and failed at once over 2 processes: ${JSON.stringify(counts)}\n`);
    expect(twoOutcomes).toEqual([]);
    expect(refused).toHaveLength(contested);
    expect(await rows(`payment_conflicts where kind = 'conflict'`)).toBe(contested);
  }, 120_000);
});

/** Does `count` pieces of work in order, `atOnce` of them at a time. */
async function inLanes<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) results[n] = await work(n);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}
