import { GroupedStatements } from '../../../src/adapters/out/postgres/connection/grouped-statements';
import { asDomainError } from '../../../src/adapters/out/postgres/connection/postgres-errors';
import { Unavailable } from '../../../src/domain/shared/errors';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Statements that end when told, in the order in which they began. */
class Statements {
  readonly begun: (readonly string[])[] = [];
  private readonly ends: ((error?: Error) => void)[] = [];

  readonly run = (items: readonly string[]): Promise<readonly string[]> => {
    this.begun.push(items);
    return new Promise((resolve, reject) => {
      this.ends.push((error) => {
        if (error) reject(error);
        else resolve(items.map((item) => item.toUpperCase()));
      });
    });
  };

  async end(error?: Error): Promise<void> {
    this.ends.shift()?.(error);
    await settled();
  }
}

let statements: Statements;
beforeEach(() => {
  statements = new Statements();
});

/** Timers run by the test alone, in the tests of the group that calls this. */
function onTestTime(): void {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
}

/** Brings the first by itself and the others when it is in flight. */
async function addAfter(
  grouped: GroupedStatements<string, string>,
  [first = '', ...others]: readonly string[],
): Promise<Promise<string>[]> {
  const result = grouped.add(first);
  await settled();
  return [result, ...others.map((item) => grouped.add(item))];
}

it('sends a single item at once, and the items that arrive meanwhile as one group', async () => {
  const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 100, now: () => 0 });
  const results = await addAfter(grouped, ['a', 'b', 'c']);
  await settled();
  expect(statements.begun).toEqual([['a']]);
  await statements.end();
  expect(statements.begun).toEqual([['a'], ['b', 'c']]);
  expect(await results[0]).toBe('A');
  await statements.end();
  expect(await Promise.all(results)).toEqual(['A', 'B', 'C']);
});

it('groups the items of callers that run in the same turn', async () => {
  const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 100 });
  const callers = ['a', 'b', 'c'].map(async (item, steps) => {
    for (let n = 0; n < steps; n++) await Promise.resolve();
    return grouped.add(item);
  });
  await settled();
  expect(statements.begun).toEqual([['a', 'b', 'c']]);
  await statements.end();
  expect(await Promise.all(callers)).toEqual(['A', 'B', 'C']);
});

it('tells nobody of a commit that has not happened', async () => {
  const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 100 });
  const outcomes: string[] = [];
  for (const result of await addAfter(grouped, ['a', 'b'])) void result.then((one) => outcomes.push(one));
  await statements.end();
  expect(outcomes).toEqual(['A']);
  await statements.end();
  expect(outcomes).toEqual(['A', 'B']);
});

it('sends no more in one statement than it may', async () => {
  const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 2 });
  const results = await addAfter(grouped, ['a', 'b', 'c', 'd']);
  for (let i = 0; i < 3; i++) await statements.end();
  expect(statements.begun).toEqual([['a'], ['b', 'c'], ['d']]);
  expect(await Promise.all(results)).toEqual(['A', 'B', 'C', 'D']);
});

describe('beside a statement that is slow', () => {
  onTestTime();

  it('a second one is sent with new and waiting items, but no third', async () => {
    const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 100 });
    const results = await addAfter(grouped, ['slow', 'b']);
    await settled();
    jest.advanceTimersByTime(19);
    results.push(grouped.add('c'));
    await settled();
    expect(statements.begun).toEqual([['slow']]);
    jest.advanceTimersByTime(1);
    results.push(grouped.add('d'));
    await settled();
    expect(statements.begun).toEqual([['slow'], ['b', 'c', 'd']]);
    jest.advanceTimersByTime(1000);
    results.push(grouped.add('e'));
    await settled();
    expect(statements.begun).toHaveLength(2);
    await statements.end();
    expect(statements.begun).toEqual([['slow'], ['b', 'c', 'd'], ['e']]);
    await statements.end();
    await statements.end();
    expect(await Promise.all(results)).toEqual(['SLOW', 'B', 'C', 'D', 'E']);
  });

  it('one more is sent with no more than it may hold', async () => {
    const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 2 });
    for (const item of ['slow', 'too', 'late', 'as well']) void grouped.add(item);
    await settled();
    expect(statements.begun).toEqual([['slow', 'too']]);
    jest.advanceTimersByTime(20);
    void grouped.add('later');
    await settled();
    expect(statements.begun).toEqual([
      ['slow', 'too'],
      ['late', 'as well'],
    ]);
  });

  it('no timer is left once it has ended', async () => {
    const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 100 });
    const [, second] = await addAfter(grouped, ['a', 'b']);
    await settled();
    // The one that ends it when it takes too long.
    expect(jest.getTimerCount()).toBe(1);
    await statements.end();
    expect(statements.begun).toEqual([['a'], ['b']]);
    await statements.end();
    expect(jest.getTimerCount()).toBe(0);
    expect(await second).toBe('B');
  });
});

it('never writes two of one name together: the later one goes with the next', async () => {
  const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 2, nameOf: (item: string) => item.slice(0, 1) });
  const results = await addAfter(grouped, ['first', 'a1', 'a2', 'b1', 'c1', 'a3']);
  for (let i = 0; i < 5; i++) await statements.end();
  expect(statements.begun).toEqual([['first'], ['a1', 'b1'], ['a2', 'c1'], ['a3']]);
  expect(await Promise.all(results)).toEqual(['FIRST', 'A1', 'A2', 'B1', 'C1', 'A3']);
});

it('sends each item by itself if the database refuses the group', async () => {
  const run = async (items: readonly string[]): Promise<readonly string[]> => {
    await settled();
    if (items.includes('bad')) throw new Error('refused');
    return items;
  };
  const grouped = new GroupedStatements({ run, maxGroupSize: 100 });
  const results = await Promise.allSettled(await addAfter(grouped, ['first', 'good', 'bad', 'fine']));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(await grouped.add('later')).toBe('later');
});

it.each(['database-busy', 'database-full', 'database-away'])(
  'retries no item alone if the whole statement failed as of %s',
  async (cause) => {
    const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 100 });
    const results = Promise.allSettled(await addAfter(grouped, ['first', 'a', 'b', 'c']));
    await statements.end();
    await statements.end(new Unavailable(cause));
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(statements.begun).toEqual([['first'], ['a', 'b', 'c']]);
  },
);

it('sends a group once more, unchanged, after a deadlock', async () => {
  const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 100 });
  const deadlock = asDomainError(Object.assign(new Error('deadlock detected'), { code: '40P01' })) as Error;
  const results = Promise.all(await addAfter(grouped, ['first', 'a', 'b']));
  await statements.end();
  await statements.end(deadlock);
  expect(statements.begun).toEqual([['first'], ['a', 'b'], ['a', 'b']]);
  await statements.end();
  expect(await results).toEqual(['FIRST', 'A', 'B']);
});

describe('a statement that does not end', () => {
  onTestTime();

  it('fails its callers six seconds after they came', async () => {
    const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 100, now: () => Date.now() });
    const ends: string[] = [];
    const note = (name: string, result: Promise<string>): void =>
      void result.then(
        () => ends.push(`${name} well`),
        (error: unknown) => ends.push(`${name} ${String((error as Unavailable).details.cause)}`),
      );
    note('first', grouped.add('first'));
    await settled();
    jest.advanceTimersByTime(100);
    note('beside it', grouped.add('beside it'));
    await settled();
    jest.advanceTimersByTime(900);
    note('waits', grouped.add('waits'));
    await settled();
    jest.advanceTimersByTime(4999);
    await settled();
    expect(ends).toEqual([]);
    jest.advanceTimersByTime(1);
    await settled();
    expect(ends).toEqual(['first database-busy', 'waits database-busy']);
    note('later', grouped.add('later'));
    await settled();
    expect(statements.begun).toEqual([['first'], ['beside it'], ['later']]);
    jest.advanceTimersByTime(100);
    await settled();
    expect(ends).toContain('beside it database-busy');
  });
});

it('asks a database that is away once for all that wait', async () => {
  const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 100 });
  const results = Promise.allSettled(await addAfter(grouped, ['a', 'b', 'c']));
  await statements.end();
  await statements.end(new Unavailable('database-away'));
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(statements.begun).toHaveLength(2);
});

it('fails long-waiting callers together with the statement that failed', async () => {
  let now = 0;
  const grouped = new GroupedStatements({ run: statements.run, maxGroupSize: 100, now: () => now });
  const first = grouped.add('first');
  await settled();
  now = 20;
  void grouped.add('beside it');
  await settled();
  const early = grouped.add('early');
  now = 5000;
  const late = grouped.add('late');
  now = 6000;
  await Promise.all([
    expect(first).rejects.toThrow(Unavailable),
    expect(early).rejects.toThrow(Unavailable),
    statements.end(new Unavailable('database-away')),
  ]);
  expect(statements.begun).toEqual([['first'], ['beside it'], ['late']]);
  await statements.end();
  await statements.end();
  expect(await late).toBe('LATE');
});
