import { aPairOver, type Pair } from '../support/signatures/a-pair';
import { openDatabaseAt } from '../support/postgres/database';
import { json, type Behaviour } from '../support/partners/stub-behaviours';
import { StubPayingHostApp } from '../support/partners/stub-payments';
import { describeOnOwnPostgres, OwnPostgres } from './cluster/own-postgres';
import { atRate, inQueues, type Operation } from './harness/driver';
import { figure, inThisForm, within } from './harness/fault-run';
import { illBehaviours } from './harness/ill-behaviours';
import { idIn, PayingStage } from './harness/paying-stage';
import { openHandles, residentBytes } from './harness/processes';

/** `FAULT_MINUTES` makes the long form shorter. */
const totalMs = inThisForm({ short: 4500, long: Number(process.env['FAULT_MINUTES'] ?? 30) * 60_000 });
/** How long it is asked for all that it can do, in milliseconds. */
const measureMs = inThisForm({ short: 1000, long: 10_000 });
/** How often memory and handles are measured, in milliseconds. */
const observeEveryMs = inThisForm({ short: 250, long: 5000 });
/** How much of the capacity is asked for, and how much of that goes to partners that behave badly. */
const loadShare = 0.5;
const illShare = 0.05;
const atOnce = 32;
const deadlineMs = 2000;

interface Observation {
  readonly memoryMb: number;
  readonly handles: number;
  /** Milliseconds that the payments since the last look took, those with partners that behave well. */
  readonly times: readonly number[];
}

// A Postgres with its usual settings: one that never vacuums, as tests may be given, is no measure of hours.
describeOnOwnPostgres('half of what can be done, for long', () => {
  let postgres: OwnPostgres;
  let stage: PayingStage;
  let badHostApp: StubPayingHostApp;
  let badPair: Pair;
  let webhooks = 0;
  beforeAll(async () => {
    const webhook: Behaviour = (_received, response) => {
      webhooks++;
      response.end();
    };
    const env = { PAYMENT_TIMEOUT_MS: String(deadlineMs), DELIVERY_TIMEOUT_MS: String(deadlineMs) };
    postgres = await OwnPostgres.create();
    const database = await openDatabaseAt(postgres.url);
    stage = await PayingStage.open({ processes: 1, hostApp: new StubPayingHostApp(), webhook, env, database });
    let made = 0;
    stage.hostApp.on('/create', (received, response) => json({ order_payment_id: `op-${String(++made)}` })(received, response));
    badHostApp = await new StubPayingHostApp().start();
    let turn = 0;
    badHostApp.on('/bad', (received, response) => illBehaviours[turn++ % illBehaviours.length]?.[1](received, response));
    badPair = await aPairOver(stage.instances.by(0).url, {
      hostApp: { create_order_payment_url: `${badHostApp.url}/bad` },
      miniapp: { ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8'] } },
    });
  }, 60_000);
  afterAll(async () => {
    await badHostApp.stop();
    expect(await stage.close()).toEqual([0]);
    await postgres.remove();
  }, 30_000);

  const create = (pair: Pair): Promise<Operation> =>
    stage.call({ path: 'orders/create-order-payment', key: '', members: '"order":{"currency":"USD","amount":"1.10"}', turn: 0, pair });
  /** A payment made and completed; its two calls. */
  const pay = async (): Promise<Operation[]> => {
    const made = await create(stage.pair);
    if (made.outcome !== 'ok') return [made];
    const id = idIn(made.text);
    const members = `"order_payment_id":"${id}","payment_status":"paid"`;
    return [made, await stage.call({ path: 'orders/complete-order', key: id, members, turn: 0 })];
  };
  /** What harness and stubs have written down is not to be what grows. */
  const forget = (): void => {
    for (const { store } of [stage.hostApp, stage.miniapp, badHostApp]) store.length = 0;
    stage.driver.operations.length = 0;
  };
  const capacity = async (): Promise<number> => {
    const endsAt = performance.now() + measureMs;
    let paid = 0;
    await inQueues(atOnce, atOnce, async () => {
      for (; performance.now() < endsAt; paid++) await pay();
    });
    forget();
    return paid / (measureMs / 1000);
  };

  it(
    'R33: is as fast at the end as at the beginning, with no more memory and handles',
    async () => {
      await capacity();
      const perSecond = Math.max(1, Math.round((await capacity()) * loadShare));
      const startedAt = performance.now();
      webhooks = 0;
      const counts = { payments: 0, failed: 0, toBadPartners: 0, otherAnswers: 0 };
      let times: number[] = [];
      const one = async (n: number): Promise<void> => {
        if (n % Math.round(1 / illShare) === 0) {
          counts.toBadPartners++;
          const { status, text } = await create(badPair);
          if (status !== 400 || !text.startsWith('{"error_code":')) counts.otherAnswers++;
          return;
        }
        counts.payments++;
        const calls = await pay();
        if (calls.some(({ outcome }) => outcome !== 'ok')) counts.failed++;
        times.push((calls.at(-1)?.endedAt ?? 0) - (calls[0]?.startedAt ?? 0));
      };
      const observations: Observation[] = [];
      const { pid } = stage.instances.by(0);
      const observation = setInterval(() => {
        observations.push({ memoryMb: residentBytes(pid) / 1024 / 1024, handles: openHandles(pid), times });
        times = [];
        forget();
      }, observeEveryMs);
      await atRate({ perSecond, volley: 1, goesOn: () => performance.now() - startedAt < totalMs }, one);
      clearInterval(observation);

      const [first, last] = [thirdOf(observations, 0), thirdOf(observations, 2)];
      const minutes = Number((totalMs / 60_000).toFixed(2));
      const load = { minutes, perSecond, ...counts, webhooks, pendingAtEnd: await stage.rows(`deliveries where state = 'ready'`) };
      const memory = { memoryFirstMb: first.memoryMb, memoryLastMb: last.memoryMb, handlesFirst: first.handles, handlesLast: last.handles };
      figure('R33', { ...load, p99FirstMs: first.p99, p99LastMs: last.p99, ...memory }, startedAt);
      expect(counts).toMatchObject({ failed: 0, otherAnswers: 0 });
      expect(webhooks + load.pendingAtEnd).toBeGreaterThanOrEqual(counts.payments);
      // A short run of a busy machine still opens connections that a long one has had from its beginning.
      expect(last.handles).toBeLessThanOrEqual(first.handles + inThisForm({ short: 100, long: 20 }));
      // Below what a collection of garbage makes of it, and a few milliseconds of other work on the machine.
      expect(last.memoryMb).toBeLessThanOrEqual(inThisForm({ short: first.memoryMb + 150, long: 1.1 * first.memoryMb + 15 }));
      expect(last.p99).toBeLessThanOrEqual(inThisForm({ short: Infinity, long: 1.1 * first.p99 + 5 }));
    },
    within(60_000, 3_600_000),
  );
});

/** The middle of a third of the looks, 0 to 2, and the 99th percentile of its times, each rounded. */
function thirdOf(observations: readonly Observation[], third: number): { memoryMb: number; handles: number; p99: number } {
  const own = observations.slice(Math.floor((third * observations.length) / 3), Math.floor(((third + 1) * observations.length) / 3));
  const at = (values: readonly number[], share: number): number =>
    Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN);
  const memoryMb = own.map((observation) => observation.memoryMb);
  const handles = own.map((observation) => observation.handles);
  const times = own.flatMap((observation) => observation.times);
  return { memoryMb: at(memoryMb, 0.5), handles: at(handles, 0.5), p99: at(times, 0.99) };
}
