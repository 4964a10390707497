import { databaseKinds } from '../../support/postgres/database';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { inQueues, type Operation } from '../harness/driver';
import { figure, inThisForm, within } from '../harness/fault-run';
import { illBehaviours } from '../harness/ill-behaviours';
import { PayingStage } from '../harness/paying-stage';
import { residentBytes } from '../harness/processes';

/** Milliseconds that a call to a partner may take, and what the answer may take beyond them; the short form runs beside other tests. */
const deadlineMs = 1000;
const graceMs = inThisForm({ short: 2000, long: 500 });
/** Calls to each kind of partner, and how many of them are under way at one time. */
const callsToEach = inThisForm({ short: 8, long: 100 });
const atOnce = inThisForm({ short: 6, long: 20 });
/** Calls to each before its memory is measured: the memory that a process needs for such calls at all is in use then. */
const callsBefore = 6;
/** The short form asks for so little that uncollected objects count, too. */
const maxGrowthMb = inThisForm({ short: 100, long: 30 });

// The shipped process serves from a Postgres, so that its memory is its own.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('a service whose partners behave badly', () => {
  let stage: PayingStage;
  beforeAll(async () => {
    const env = { PAYMENT_TIMEOUT_MS: String(deadlineMs), SSO_TIMEOUT_MS: String(deadlineMs) };
    stage = await PayingStage.open({ processes: 1, hostApp: new StubPayingHostApp(), env });
  }, 60_000);
  afterAll(async () => {
    expect(await stage.close()).toEqual([0]);
  });

  const order = '"order":{"currency":"USD","amount":"1.10"}';
  const pay = (turn: number): Promise<Operation> => stage.call({ path: 'orders/create-order-payment', key: 'pay', members: order, turn });
  const signOn = (turn: number): Promise<Operation> =>
    stage.call({ path: 'connect', key: 'sign-on', members: `"user_data":{"reference":"u-${String(turn)}"}`, turn });
  const isErrorBody = ({ status, text }: Operation): boolean =>
    status === 400 && /^\{"error_code":"[A-Z_]+","error_message":"[^"]+",.*"side":"(?:hostapp|miniapp)"/.test(text);

  it(
    'R7: answers every call with the Error body in time, without growing memory',
    async () => {
      const startedAt = performance.now();
      const wrong: string[] = [];
      let [calls, longestMs] = [0, 0];
      const meet = async ([how, behaviour]: (typeof illBehaviours)[number], count: number): Promise<void> => {
        stage.hostApp.always(behaviour);
        stage.miniapp.always(behaviour);
        const ended = await inQueues(count, atOnce, (n) => (n % 2 === 0 ? pay(n) : signOn(n)));
        calls += ended.length;
        longestMs = Math.max(longestMs, ...ended.map((one) => one.endedAt - one.startedAt));
        for (const one of ended) if (!isErrorBody(one)) wrong.push(`${how}: ${String(one.status)} ${one.text.slice(0, 200)}`);
        stage.hostApp.recover();
        stage.miniapp.recover();
        const after = [await pay(0), await signOn(0)];
        for (const one of after) if (one.status !== 200) wrong.push(`after one that ${how}: ${one.text.slice(0, 200)}`);
      };
      const { pid } = stage.instances.by(0);
      for (const one of illBehaviours) await meet(one, callsBefore);
      const before = residentBytes(pid);
      for (const one of illBehaviours) await meet(one, callsToEach - callsBefore);
      const growthMb = Math.round((residentBytes(pid) - before) / 1024 / 1024);
      const counts = { behaviours: illBehaviours.length, calls, otherAnswers: wrong.length, longestMs: Math.round(longestMs), growthMb };
      figure('R7', counts, startedAt);
      expect(wrong).toEqual([]);
      expect(longestMs).toBeLessThan(deadlineMs + graceMs);
      expect(growthMb).toBeLessThan(maxGrowthMb);
    },
    within(60_000),
  );
});
