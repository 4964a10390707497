import { filesIn } from './source-files';

/** Who may read the clock of the machine, and why (ADR 060). */
const readers: Readonly<Record<string, string>> = {
  'src/adapters/out/system/system-clock.ts': 'the machine’s clock itself, for tools without a database',
  'src/adapters/out/postgres/clock/database-clock.ts': 'measures how far it is off',
  'src/adapters/out/postgres/postgres-rate-limiter.ts': 'the library reckons in it within the process; the table does not have it',
  'src/adapters/out/logging/winston-log.ts': 'lines are compared with those of other programs of the machine',
  'src/adapters/out/telemetry/process-figures.ts': 'when the process started, as tools of the machine tell it',
  'src/composition/explain-request.ts': 'a command that explains a request without a database',
  'src/composition/conform/conform-requests.ts': 'a tool beside the service',
  'src/composition/conform/run-conform.ts': 'a tool beside the service',
  'src/composition/listen/run-listen.ts': 'a tool beside the service',
};
/** An unreadable delivery is parked by the process's clock still. */
const pending = ['src/adapters/out/postgres/postgres-delivery-queue.ts'];
/** Folders of programs that share no state with instances. */
const tools = /^src\/(kit|conformance|sandbox|dashboard|reference)\//;
/** Text for people, in which code is shown. */
const samples = /^src\/domain\/credentials\/explain\/samples\//;
const readsTheClock = /\bDate\.now\(|\bnew Date\(\)|\bnew SystemClock\(/;

/** Until when somebody has something for himself, or is left alone: intervals added to the database's `now()`. */
const held = ['lease_until', 'ask_lease_until', 'quiet_until', 'turn_at'];
/** A parameter, or a value of one by the name of its array, where a time is put; an interval has `now()` beside it. */
const takesAParameter = new RegExp(`\\b(${held.join('|')})\\s*=\\s*\\$\\d+(?!\\s*\\*)`);

const sources = filesIn('src').filter(({ path }) => path.endsWith('.ts'));

describe('one clock', () => {
  it('is that of the database: nobody else reads the machine’s', () => {
    const found = sources.filter(({ path, text }) => readsTheClock.test(text) && !tools.test(path) && !samples.test(path));
    expect(found.map(({ path }) => path).filter((path) => !(path in readers) && !pending.includes(path))).toEqual([]);
  });

  it('names no reader that reads it no more', () => {
    const reading = new Set(sources.filter(({ text }) => readsTheClock.test(text)).map(({ path }) => path));
    expect(Object.keys(readers).filter((path) => !reading.has(path))).toEqual([]);
  });

  it('adds leases, turns and quiet periods to now(), and takes no time as a parameter', () => {
    const statements = sources.filter(({ path }) => path.startsWith('src/adapters/out/postgres/'));
    const written = statements.filter(({ text }) => held.some((column) => text.includes(`${column} = now() +`)));
    expect(written.length).toBeGreaterThan(1);
    expect(statements.filter(({ text }) => takesAParameter.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
