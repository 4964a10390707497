import { setTimeout as pause } from 'node:timers/promises';
import { databaseKinds } from '../../support/postgres/database';
import { until } from '../../support/service/service';
import { json, reset, type Behaviour } from '../../support/partners/stub-behaviours';
import type { Received } from '../../support/partners/stub-partner';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { inQueues } from '../harness/driver';
import { chanceOf, figure, inThisForm, within } from '../harness/fault-run';
import { idIn, PayingStage } from '../harness/paying-stage';

// The embedded database serves one process: without a Postgres there are no two of them.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

/** Payments whose completions are repeated, and how often each. */
const repeated = inThisForm({ short: 15, long: 200 });
const repeats = inThisForm({ short: 40, long: 100 });
/** Payments that are said to be paid and to have failed at once. */
const contested = inThisForm({ short: 60, long: 500 });
/** Payments that are completed before their creation is answered. */
const overtaken = inThisForm({ short: 40, long: 1000 });
/** Orders whose creation is never answered. */
const unanswered = inThisForm({ short: 20, long: 500 });
const processes = inThisForm({ short: 2, long: 3 });
/** Calls under way at one time. */
const atOnce = 64;

describeOnPostgres('payments that race over several processes', () => {
  let stage: PayingStage;
  beforeAll(async () => {
    stage = await PayingStage.open({ processes, hostApp: new StubPayingHostApp() });
  }, 60_000);
  afterAll(async () => {
    expect(await stage.close()).toEqual(Array.from({ length: processes }, () => 0));
  });
  beforeEach(() => {
    stage.miniapp.store.length = 0;
  });

  const complete = (id: string, word: string, turn: number) =>
    stage.call({ path: 'orders/complete-order', key: id, members: `"order_payment_id":"${id}","payment_status":"${word}"`, turn });
  const order = (of: string): string => `"order":{"currency":"USD","amount":"1.10","miniapp_order_id":"${of}"}`;
  const create = (of: string, turn: number, headers = {}) =>
    stage.call({ path: 'orders/create-order-payment', key: of, members: order(of), turn, headers });
  /** The host app opens a payment, as it does before it answers. */
  const opened = ({ body, headers }: Received): string => {
    const order = JSON.stringify((JSON.parse(body.toString('utf8')) as { order: unknown }).order);
    const idempotencyKey = String(headers['idempotency-key']);
    return stage.hostApp.payments.open({ appId: stage.pair.appId, order, idempotencyKey, userId: undefined, accessToken: undefined });
  };
  const hooksOf = (count: number): Promise<Map<string, string[]>> =>
    until(
      async () => stage.webhooks(),
      (found) => found.size >= count,
    );

  it(
    'R12: repeats of a completion get one answer, and the miniapp one webhook',
    async () => {
      const ids = await stage.created(repeated);
      const startedAt = performance.now();
      const answers = new Map(ids.map((id) => [id, new Set<string>()]));
      let turnedAway = 0;
      const repeat = async (id: string, turn: number): Promise<void> => {
        const { status, text } = await complete(id, 'paid', turn);
        if (status !== 503) {
          answers.get(id)?.add(`${status} ${text}`);
          return;
        }
        // A starved machine has no room now: that is no result, and its caller comes again.
        turnedAway++;
        await repeat(id, turn);
      };
      // All repeats of a payment stand next to each other, so that they are under way at once.
      await inQueues(repeated * repeats, atOnce, (n) => repeat(ids[Math.floor(n / repeats)] ?? '', n));
      await hooksOf(repeated);
      // As months later, when deliveries that ended are not kept any more.
      await stage.database.db.query(`delete from deliveries where state = 'delivered'`);
      await inQueues(repeated, atOnce, (n) => repeat(ids[n] ?? '', n));
      const hooks = stage.webhooks();
      const counts = {
        payments: repeated,
        completions: repeated * (repeats + 1),
        distinctAnswers: Math.max(...[...answers.values()].map(({ size }) => size)),
        webhooksForOne: Math.max(...[...hooks.values()].map(({ length }) => length)),
        queuedAgain: await stage.rows(`deliveries where state = 'ready'`),
        turnedAway,
      };
      figure('R12', counts, startedAt);
      for (const [id, given] of answers) expect([...given]).toEqual([`200 {"order_payment_id":"${id}","payment_status":"paid"}`]);
      expect(counts).toMatchObject({ distinctAnswers: 1, webhooksForOne: 1, queuedAgain: 0 });
      expect([hooks.size, await stage.rows('payment_conflicts')]).toEqual([repeated, 0]);
    },
    within(60_000),
  );

  it(
    'R13: one of two concurrent results is accepted and delivered, and the other refused',
    async () => {
      const ids = await stage.created(contested);
      const startedAt = performance.now();
      const words = ['paid', 'failed'] as const;
      const answers = await inQueues(contested, atOnce / 2, (n) =>
        Promise.all(words.map((word, i) => complete(ids[n] ?? '', word, n + i))),
      );
      const taken = answers.map((both) => words.filter((_word, i) => both[i]?.outcome === 'ok'));
      const refused = answers.flat().filter(({ text }) => text.startsWith('{"error_code":"INVALID_PAYMENT_STATUS"'));
      const hooks = await hooksOf(contested);
      const twoOutcomes = ids.filter((id, n) => taken[n]?.length !== 1 || hooks.get(id)?.join() !== taken[n].join());
      const paid = taken.filter(([word]) => word === 'paid').length;
      const counts = { payments: contested, paid, failed: contested - paid, refused: refused.length, twoOutcomes: twoOutcomes.length };
      figure('R13', counts, startedAt);
      expect(counts).toMatchObject({ refused: contested, twoOutcomes: 0 });
      expect(await stage.rows(`payment_conflicts where kind = 'conflict'`)).toBe(contested);
    },
    within(60_000),
  );

  it(
    'R14: a completion that overtakes its creation is taken, and delivered',
    async () => {
      const chance = chanceOf('overtaking');
      const startedAt = performance.now();
      const completed: string[] = [];
      let refused = 0;
      const completesFirst: Behaviour = async (received, response) => {
        const id = opened(received);
        const { outcome } = await complete(id, 'paid', completed.length);
        if (outcome === 'ok') completed.push(id);
        else refused++;
        await pause(chance() * 200);
        await json({ order_payment_id: id })(received, response);
      };
      const made = await stage.hostApp.during('/create', completesFirst, () =>
        inQueues(overtaken, 16, async (n) => idIn((await create(`early-${n}`, n)).text)),
      );
      const hooks = await hooksOf(completed.length);
      const lost = made.filter((id) => hooks.get(id)?.length !== 1).length;
      const counts = { payments: overtaken, acknowledged: completed.length, refused, lost };
      figure('R14', counts, startedAt);
      expect(counts).toEqual({ payments: overtaken, acknowledged: overtaken, refused: 0, lost: 0 });
    },
    within(60_000),
  );

  it(
    'R15: a creation without an answer is sent once, however often the miniapp repeats it',
    async () => {
      const chance = chanceOf('repeated creations');
      const startedAt = performance.now();
      const opensAndBreaksOff: Behaviour = (received, response) => {
        opened(received);
        return reset(received, response);
      };
      const { requests } = stage.hostApp.payments;
      const before = requests.length;
      let calls = 0;
      const repeatedly = async (n: number): Promise<void> => {
        const times = 1 + Math.floor(chance() * 5);
        calls += times;
        for (let i = 0; i < times; i++) {
          const { outcome } = await create(`lost-${n}`, n + i, { 'Idempotency-Key': `order-${n}` });
          expect(outcome).toBe('refused');
        }
      };
      const orders = await stage.hostApp.during('/create', opensAndBreaksOff, async () => {
        await inQueues(unanswered, 16, repeatedly);
        const withKey = requests.slice(before).map((one) => one.order);
        // Without a key each call is an order of its own: one creation each, and none by the service alone.
        await inQueues(unanswered, 16, (n) => create(`bare-${n}`, n));
        return withKey;
      });
      const distinct = new Set(orders).size;
      const createdUnasked = requests.length - before - orders.length - unanswered;
      const counts = { orders: unanswered, calls, created: distinct, createdTwice: orders.length - distinct, createdUnasked };
      figure('R15', counts, startedAt);
      expect(counts).toMatchObject({ created: unanswered, createdTwice: 0, createdUnasked: 0 });
    },
    within(60_000),
  );
});
