import { setTimeout as pause } from 'node:timers/promises';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';
import { openDatabaseProxy, type DatabaseProxy } from '../../support/postgres/database-proxy';
import { aRevocationOfEachKind, type Revocation } from '../../support/postgres/revocations';
import { publicBaseUrl } from '../../support/partners/rotating-partners';
import { startTestService, until } from '../../support/service/service';
import { startServiceProcess, type ServiceProcess } from '../../support/service/service-process';

// The embedded database serves one process: without a Postgres there are no three of them.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

/** How long after the answer to a revocation a call may still pass, in milliseconds. */
const ceilingMs = 1000;
const restMs = 60;
/** Calls of each queue that must have been sent before the revocation, and after its ceiling. */
const enough = 3;

/** Calls of one kind to one instance, one after the other. */
class Queue {
  readonly sent: { readonly at: number; readonly answer: string }[] = [];
  private stopped = false;
  private readonly done: Promise<void>;

  constructor(call: () => Promise<string>) {
    this.done = this.run(call);
  }

  stop(): Promise<void> {
    this.stopped = true;
    return this.done;
  }

  private async run(call: () => Promise<string>): Promise<void> {
    while (!this.stopped) {
      const at = performance.now();
      this.sent.push({ at, answer: await call() });
      await pause(restMs);
    }
  }
}

interface Outcome {
  readonly name: string;
  /** The last accepted call was sent so long after the answer to the revocation, in milliseconds; 0: none was sent after it. */
  readonly lastMs: number;
  readonly late: number;
  /** Of the calls sent after the ceiling. */
  readonly refusals: readonly string[];
}

/** Something that goes wrong while things are revoked. */
interface Trouble {
  end(): Promise<void>;
}

const noTrouble = (): Trouble => ({ end: () => Promise.resolve() });

/** Revokes everything, each over one of the instances, while all of them are called; tells how each went. */
async function revokeUnderLoad(revocations: readonly Revocation[], urls: readonly string[], begin = noTrouble): Promise<Outcome[]> {
  const queues = revocations.map(({ call }) => urls.map((url) => new Queue(() => call(url))));
  const count = async (queue: Queue, chosen: (one: Queue['sent'][number]) => boolean) => queue.sent.filter(chosen).length;
  const each = (chosen: (one: Queue['sent'][number], i: number) => boolean) =>
    Promise.all(
      queues.map((ofOne, i) =>
        Promise.all(
          ofOne.map((queue) =>
            until(
              () => count(queue, (one) => chosen(one, i)),
              (n) => n >= enough,
            ),
          ),
        ),
      ),
    );
  try {
    await each(({ answer }) => answer === 'accepted');
    const trouble = begin();
    const answered = await Promise.all(
      revocations.map(async ({ revoke }, i) => {
        await revoke(urls[i % urls.length]!);
        return performance.now();
      }),
    );
    await trouble.end();
    await each(({ at }, i) => at > answered[i]! + ceilingMs);
    return revocations.map(({ name }, i) => {
      const sent = queues[i]!.flatMap((queue) => queue.sent);
      const accepted = sent.filter(({ answer }) => answer === 'accepted').map(({ at }) => at - answered[i]!);
      const after = sent.filter(({ at }) => at > answered[i]! + ceilingMs);
      return {
        name,
        lastMs: Math.max(0, Math.round(Math.max(...accepted))),
        late: accepted.filter((ms) => ms > ceilingMs).length,
        refusals: [...new Set(after.map(({ answer }) => answer))],
      };
    });
  } finally {
    await Promise.all(queues.flat().map((queue) => queue.stop()));
  }
}

function report(where: string, outcomes: readonly Outcome[]): void {
  const lasts = outcomes.map(({ name, lastMs }) => `${name} ${String(lastMs)}`).join(', ');
  process.stdout.write(`revoked under load, ${where}: last accepted call after, in ms: ${lasts}\n`);
}

function expectRevoked(revocations: readonly Revocation[], outcomes: readonly Outcome[]): void {
  expect(outcomes.filter(({ late }) => late > 0)).toEqual([]);
  for (const [i, { refusal }] of revocations.entries()) {
    for (const code of outcomes[i]!.refusals) expect(code).toMatch(refusal);
  }
}

describeOnPostgres('a credential that is revoked on one of three processes', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let processes: ServiceProcess[];
  let urls: string[];

  beforeAll(async () => {
    database = await openTestDatabase('postgres');
    proxy = await openDatabaseProxy(database.target.kind === 'postgres' ? database.target.url : '', 'pierhead-feed');
    const env = { DATABASE_URL: proxy.url, PUBLIC_BASE_URL: publicBaseUrl, LOG_LEVEL: 'warn' };
    processes = await Promise.all([1, 2, 3].map(() => startServiceProcess({ ...env, LOG_LEVEL: 'info' })));
    urls = processes.map(({ url }) => url);
  }, 60_000);
  afterAll(async () => {
    expect(await Promise.all(processes.map((one) => one.end('SIGTERM')))).toEqual([0, 0, 0]);
    await proxy.close();
    await database.close();
  });

  it('is refused on all of them within a second', async () => {
    const revocations = await aRevocationOfEachKind(urls[0]!);
    const outcomes = await revokeUnderLoad(revocations, urls);
    report('3 processes that listen', outcomes);
    expectRevoked(revocations, outcomes);
  }, 30_000);

  it('is refused within a second while the listening connections are cut', async () => {
    const revocations = await aRevocationOfEachKind(urls[0]!);
    const ended = new Ended(database);
    const outcomes = await revokeUnderLoad(revocations, urls, () => ended.begin());
    report(`3 processes whose listening connections are ended meanwhile (${String(ended.count)})`, outcomes);
    expectRevoked(revocations, outcomes);
    expect(ended.count).toBeGreaterThanOrEqual(3);
  }, 30_000);

  it('is refused within a second while connections that listen hang', async () => {
    const revocations = await aRevocationOfEachKind(urls[0]!);
    proxy.hang();
    const outcomes = await revokeUnderLoad(revocations, urls).finally(() => proxy.mend());
    report('3 processes whose listening connections hang', outcomes);
    expectRevoked(revocations, outcomes);
  }, 30_000);
});

/** Ends every listening connection to the database, as often as one comes back. */
class Ended {
  count = 0;

  constructor(private readonly database: TestDatabase) {}

  begin(): Trouble {
    let over = false;
    const run = async (): Promise<void> => {
      while (!over) {
        const rows: unknown[] = await this.database.db.query(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'pierhead-feed' and datname = current_database()`);
        this.count += rows.length;
        await pause(5);
      }
    };
    const done = run();
    return {
      end: async () => {
        over = true;
        await done;
      },
    };
  }
}

it('a credential revoked on the embedded database is refused at once', async () => {
  const service = await startTestService({ kind: 'embedded', env: { PUBLIC_BASE_URL: publicBaseUrl } });
  try {
    const revocations = await aRevocationOfEachKind(service.url);
    const outcomes = await revokeUnderLoad(revocations, [service.url]);
    report('the embedded database', outcomes);
    expectRevoked(revocations, outcomes);
    expect(outcomes.map(({ lastMs }) => lastMs)).toEqual(outcomes.map(() => 0));
  } finally {
    await service.close();
  }
}, 30_000);
