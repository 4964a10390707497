import { filesIn } from './source-files';

/** Who may read the clock of the machine, and why (ADR 060). */
const readers: Readonly<Record<string, string>> = {
  'src/adapters/out/system/system-clock.ts': 'the machine’s clock itself, for tools without a database',
  'src/adapters/out/postgres/clock/database-clock.ts': 'measures how far it is off',
  'src/adapters/out/postgres/credentials/postgres-rate-limiter.ts':
    'the library reckons in it within the process; the table does not have it',
  'src/adapters/out/logging/winston-log.ts': 'lines are compared with those of other programs of the machine',
  'src/adapters/out/telemetry/process-figures.ts': 'when the process started, as tools of the machine tell it',
  'src/composition/tasks/explain-request.ts': 'a command that explains a request without a database',
  'src/composition/conform/conform-requests.ts': 'a tool beside the service',
  'src/composition/conform/run-conform.ts': 'a tool beside the service',
  'src/composition/listen/run-listen.ts': 'a tool beside the service',
};
/** Folders of programs that share no state with instances. */
const tools = /^src\/(kit|conformance|sandbox|dashboard|reference)\//;
/** Text for people, in which code is shown. */
const samples = /^src\/adapters\/out\/signing\/samples\//;
const readsTheClock = /\bDate\.now\(|\bnew Date\(\)|\bnew SystemClock\(/;

/** Until when somebody has something for himself, or is left alone: intervals added to the database's `now()`. */
const held = ['lease_until', 'poll_lease_until', 'backoff_until', 'turn_at', 'blocked_until', 'poll_at'];
/** A parameter that is set as such; one that is an interval is multiplied by its unit. */
const setsAParameter = new RegExp(`\\b(${held.join('|')})\\s*=\\s*\\$\\d+(?!\\s*\\*)`);
const insert = /insert into \w+(?: as \w+)? \(([^)]+)\)\s*values \(/g;

/** Values of a list that begins at `from`, up to its closing bracket. */
function valuesFrom(text: string, from: number): string[] {
  const values = [''];
  for (let [at, depth] = [from, 1]; depth > 0 && at < text.length; at++) {
    const sign = text.charAt(at);
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    if (sign === ',' && depth === 1) values.push('');
    else if (depth > 0) values.push(`${values.pop() ?? ''}${sign}`);
  }
  return values.map((value) => value.trim());
}

/** Columns of `held` that a row gets as a parameter. */
const insertsAParameter = (text: string): string[] =>
  [...text.matchAll(insert)].flatMap((found) => {
    const values = valuesFrom(text, found.index + found[0].length);
    const columns = found[1]?.split(',').map((column) => column.trim()) ?? [];
    return columns.filter((column, index) => held.includes(column) && /^\$\d+(::\w+)?$/.test(values[index] ?? ''));
  });

const sources = filesIn('src').filter(({ path }) => path.endsWith('.ts'));

describe('one clock', () => {
  it('is that of the database: nobody else reads the machine’s', () => {
    const found = sources.filter(({ path, text }) => readsTheClock.test(text) && !tools.test(path) && !samples.test(path));
    expect(found.map(({ path }) => path).filter((path) => !(path in readers))).toEqual([]);
  });

  it('names no reader that reads it no more', () => {
    const reading = new Set(sources.filter(({ text }) => readsTheClock.test(text)).map(({ path }) => path));
    expect(Object.keys(readers).filter((path) => !reading.has(path))).toEqual([]);
  });

  it('adds leases and waiting times to now(), and takes no time as a parameter', () => {
    const statements = sources.filter(({ path }) => path.startsWith('src/adapters/out/postgres/'));
    const written = statements.filter(({ text }) => held.some((column) => text.includes(`${column} = now() +`)));
    expect(written.length).toBeGreaterThan(1);
    const wrong = statements.filter(({ text }) => setsAParameter.test(text) || insertsAParameter(text).length > 0);
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it.each([
    ['update t set lease_until = $3 where id = $1', true],
    [`update t set lease_until = now() + $3 * interval '1 ms'`, false],
    ['insert into t (id, lease_until) values ($1, $2)', true],
    ['insert into t as x (id, poll_at, kind) values (coalesce($1, $4), $2::timestamptz, $3)', true],
    [`insert into t (id, poll_at) values ($1, $2::timestamptz + $3 * interval '1 ms')`, false],
  ])('judges %s', (statement, isWrong) => {
    expect(setsAParameter.test(statement) || insertsAParameter(statement).length > 0).toBe(isWrong);
  });
});
