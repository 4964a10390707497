import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { StubPayingHostApp } from '../support/partners/stub-payments';
import { atRate, inQueues } from '../faults/harness/driver';
import { idIn, PayingStage } from '../faults/harness/paying-stage';

// Run by `jest --testMatch="<rootDir>/tests/bench/delivery-rate.ts"` after a build: measures, and asserts nothing of time.

const atRatePerSecond = 200;
const seconds = 10;
/** Completions that are reported as fast as 64 callers can. */
const burst = 4000;

let stage: PayingStage;
beforeAll(async () => {
  stage = await PayingStage.open({ processes: 1, hostApp: new StubPayingHostApp() });
}, 60_000);
afterAll(() => stage.close());

/** Processor time of a process, in milliseconds: proc(5), in ticks of a hundredth of a second. */
function computedMs(pid: number): number {
  const fields =
    readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Processor time of the service and of the database's processes that serve it, in milliseconds. */
async function computed(): Promise<{ service: number; database: number }> {
  const text = `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`;
  const backends = await stage.database.db.query<{ pid: number }[]>(text);
  return { service: computedMs(stage.instances.by(0).pid), database: backends.reduce((sum, { pid }) => sum + computedMs(pid), 0) };
}

const complete = async (id: string): Promise<void> => {
  const members = `"order_payment_id":"${id}","payment_status":"paid","custom_attributes":{"of":"${id}"}`;
  const { outcome } = await stage.call({ path: 'orders/complete-order', key: id, members, turn: 0 });
  if (outcome !== 'ok') throw new Error(`A completion ended as ${outcome}`);
};

/** Resolves when the miniapp has got so many webhooks. */
async function received(count: number): Promise<void> {
  while (stage.miniapp.store.length < count) await pause(5);
}

/** Milliseconds from the answer to the webhook, of each completion. */
function delays(): number[] {
  const epoch = Date.now() - performance.now();
  const receivedAt = new Map(stage.miniapp.store.map(({ body, at }) => [idIn(body.toString('utf8')), at - epoch]));
  const answered = stage.driver.operations.filter(({ name }) => name === 'orders/complete-order');
  return answered.map(({ key, endedAt }) => Math.max(0, (receivedAt.get(key) ?? Infinity) - endedAt)).sort((a, b) => a - b);
}

/** What so many completions and their deliveries cost and how long they take. */
async function measured(name: string, count: number, report: (ids: readonly string[]) => Promise<unknown>): Promise<string> {
  const ids = await stage.created(count);
  stage.driver.operations.length = 0;
  stage.miniapp.store.length = 0;
  const [before, startedAt] = [await computed(), performance.now()];
  await report(ids);
  const takenMs = performance.now() - startedAt;
  await received(count);
  const drainedMs = performance.now() - startedAt - takenMs;
  // The ends of the last attempts and the records of the exchanges are written yet.
  await pause(500);
  const after = await computed();
  const each = (of: 'service' | 'database'): string => `${((1000 * (after[of] - before[of])) / count).toFixed(0)} µs`;
  const late = delays();
  const share = (part: number): string => (late[Math.floor((late.length - 1) * part)] ?? 0).toFixed(0);
  return [
    `${name}: ${((1000 * count) / takenMs).toFixed(0)} completions a second, delivered ${(drainedMs / 1000).toFixed(2)} s after the last`,
    `service ${each('service')}, database ${each('database')} for each with its delivery`,
    `from answer to webhook p50 ${share(0.5)}, p99 ${share(0.99)}, longest ${share(1)} ms`,
  ].join('; ');
}

it('measures the cost of a completion with its delivery, at a fixed rate and at full speed', async () => {
  const warm = await measured('warming up', 1000, (ids) => inQueues(ids.length, 16, (n) => complete(ids[n]!)));
  const pace = { perSecond: atRatePerSecond, volley: 1, maxCalls: atRatePerSecond * seconds, goesOn: () => true };
  const steady = await measured(`at ${String(atRatePerSecond)} a second`, atRatePerSecond * seconds, (ids) =>
    atRate(pace, (n) => complete(ids[n]!)),
  );
  const fast = await measured('as fast as 64 callers go', burst, (ids) => inQueues(ids.length, 64, (n) => complete(ids[n]!)));
  process.stdout.write(`${[warm, steady, fast].join('\n')}\n`);
}, 180_000);
