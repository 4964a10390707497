import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { describeOnOwnPostgres, OwnPostgres } from '../cluster/own-postgres';
import { PayingLoad, type Timed } from '../cluster/paying-load';
import { figure, inThisForm, within } from '../harness/fault-run';

const lockMs = inThisForm({ short: 8000, long: 20_000 });
const perSecond = 40;
const answeredWithinMs = 6000;
/** On top of the service's own time: what this process and a busy machine take for a call. */
const marginMs = 400;
/** What calls write and read. */
const hot = [
  ...['deliveries', 'endpoint_queues', 'order_payments', 'users', 'exchanges', 'idempotent_calls', 'rate_limits', 'used_nonces'],
  ...['shared_tasks', 'user_tokens', 'consents', 'host_apps', 'miniapps', 'integrations', 'partner_credentials', 'audit_log'],
];

describeOnOwnPostgres('calls while another session holds a lock', () => {
  let database: OwnPostgres;
  let load: PayingLoad;
  let tables: readonly string[];
  beforeAll(async () => {
    database = await OwnPostgres.create();
    load = await PayingLoad.over(database.url);
    const names = await database.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`);
    tables = names.map(({ name }) => name).filter((name) => hot.includes(name));
  }, 60_000);
  afterAll(async () => {
    await load.close();
    await database.remove();
  }, 60_000);

  const locked = inThisForm<readonly (readonly string[])[]>({
    short: [['deliveries', 'endpoint_queues'], ['order_payments'], ['users', 'integrations', 'exchanges', 'rate_limits']],
    long: hot.map((name) => [name]),
  });

  it(
    'get an answer within six seconds, and no acknowledged one is lost (A4)',
    async () => {
      const startedAt = performance.now();
      const others: Timed[] = [];
      for (const names of [...locked, hot])
        others.push(
          ...(await under(
            names.filter((name) => tables.includes(name)),
            load,
          )),
        );
      const timed = [...load.answers, ...others];
      const counts = {
        ...{ locks: locked.length + 1, lockS: lockMs / 1000, calls: timed.length, ...load.statuses() },
        ...{ unclear: load.unclear().length + others.filter((one) => !isClear(one)).length },
        ...(await load.tally(database)),
        slowestS: Number((Math.max(...timed.map(({ ms }) => ms)) / 1000).toFixed(2)),
      };
      figure('locks', counts, startedAt);
      expect(others.filter((one) => !isClear(one)).slice(0, 3)).toEqual([]);
      expect(counts).toMatchObject({ unclear: 0, withoutRow: 0, lost: 0, invented: 0, altered: 0, stillPending: 0 });
      expect(counts.slowestS * 1000).toBeLessThanOrEqual(answeredWithinMs + marginMs);
    },
    within(180_000),
  );

  /** Calls of all kinds while the tables are locked, each begun when it is due and not when the one before was answered. */
  async function under(names: readonly string[], calls: PayingLoad): Promise<readonly Timed[]> {
    const ids = await payments(Math.ceil((lockMs / 1000) * perSecond), calls);
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`begin; lock table ${names.join(', ')} in access exclusive mode`);
    const releaseAt = performance.now() + lockMs;
    const under: Promise<unknown>[] = [];
    const others: Promise<Timed>[] = [];
    for (let n = 0; performance.now() < releaseAt; n++) {
      const id = ids.pop();
      if (id !== undefined) under.push(calls.complete(id));
      if (n % 8 === 0) under.push(calls.create());
      if (n % 8 === 2) others.push(calls.connect(`user-${String(n)}`));
      if (n % 40 === 4)
        others.push(calls.read('/manage/v1/payments'), calls.read('/manage/v1/deliveries'), calls.read('/manage/v1/problems'));
      await pause(1000 / perSecond);
    }
    await holder.query('rollback');
    await holder.end();
    await Promise.all(under);
    const read = await Promise.all(others);
    await calls.okAfter(performance.now() - 1, 20_000).catch(async () => calls.create());
    return read;
  }

  async function payments(count: number, calls: PayingLoad): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < count) {
      const made = await Promise.all(Array.from({ length: 20 }, () => calls.create()));
      ids.push(...made.filter((id) => id !== undefined));
    }
    return ids;
  }
});

const isClear = ({ status, retryAfter, text }: Timed): boolean =>
  status === 200 || (status === 503 && retryAfter !== null && /"(SERVICE_UNAVAILABLE|urn:pierhead:problem:unavailable)"/.test(text));
