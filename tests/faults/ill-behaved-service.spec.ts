import { databaseKinds } from '../support/database';
import * as stub from '../support/stub-behaviours';
import { StubPayingHostApp } from '../support/stub-payments';
import { inLanes, type Operation } from './harness/driver';
import { figure, inThisForm, within } from './harness/fault-run';
import { PayingStage } from './harness/paying-stage';
import { residentBytes } from './harness/processes';

/** Milliseconds that a call to a partner may take, and what the answer may take beyond them. */
const deadlineMs = 1000;
const graceMs = 500;
/** Calls to each kind of partner, and how many of them are under way at one time. */
const callsToEach = inThisForm({ short: 6, long: 100 });
const atOnce = inThisForm({ short: 6, long: 20 });
/** In the short form what the process needs at all is not yet in use when it begins. */
const mostGrowthMb = inThisForm({ short: 100, long: 30 });

const behaviours: readonly (readonly [string, stub.Behaviour])[] = [
  ['hangs before its headers', stub.hangBeforeHeaders],
  ['hangs in its body', stub.hangInBody],
  ['sends a byte a second', stub.drip],
  ['resets the connection', stub.reset],
  ['closes early', stub.earlyClose],
  ['states a wrong length', stub.wrongLength],
  ['answers with a page', stub.html],
  ['answers with an empty body', stub.empty],
  ['answers with no body', stub.nothing],
  ['answers with 50 MB', stub.huge],
  ['answers with a gzip bomb', stub.gzipBomb],
  ['redirects', stub.redirect('http://127.0.0.1:9/')],
  ['answers with invalid JSON', stub.invalidJson],
  ['answers with 100,000 brackets', stub.brackets],
];

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
    'R7: every call ends with the Error body, in time, and the memory stays as it was',
    async () => {
      const startedAt = performance.now();
      // What the process needs for any calls at all is in use before.
      await inLanes(callsToEach, atOnce, async (n) => [await pay(n), await signOn(n)]);
      const { pid } = stage.instances.by(0);
      const before = residentBytes(pid);
      const wrong: string[] = [];
      let [calls, longestMs] = [0, 0];
      for (const [how, behaviour] of behaviours) {
        stage.hostApp.always(behaviour);
        stage.miniapp.always(behaviour);
        const ended = await inLanes(callsToEach, atOnce, (n) => (n % 2 === 0 ? pay(n) : signOn(n)));
        calls += ended.length;
        longestMs = Math.max(longestMs, ...ended.map((one) => one.endedAt - one.startedAt));
        for (const one of ended) if (!isErrorBody(one)) wrong.push(`${how}: ${String(one.status)} ${one.text.slice(0, 200)}`);
        stage.hostApp.recover();
        stage.miniapp.recover();
        const after = [await pay(0), await signOn(0)];
        for (const one of after) if (one.status !== 200) wrong.push(`after one that ${how}: ${one.text.slice(0, 200)}`);
      }
      const growthMb = Math.round((residentBytes(pid) - before) / 1024 / 1024);
      const counts = { ways: behaviours.length, calls, otherAnswers: wrong.length, longestMs: Math.round(longestMs), growthMb };
      figure('R7', counts, startedAt);
      expect(wrong).toEqual([]);
      expect(longestMs).toBeLessThan(deadlineMs + graceMs);
      expect(growthMb).toBeLessThan(mostGrowthMb);
    },
    within(60_000),
  );
});
