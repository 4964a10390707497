import { Overload } from '../../../src/adapters/in/http/admission/overload';
import { CollectingLog } from '../../support/collecting-log';

let waiting: number;
let served: number;
let now: number;
/** Milliseconds in which others had the processor. */
let idle: number;
let log: CollectingLog;
let overload: Overload;

beforeEach(() => {
  jest.useFakeTimers();
  waiting = 0;
  served = 0;
  now = 0;
  idle = 0;
  log = new CollectingLog();
  overload = new Overload({
    database: { waiting: () => waiting, served: () => served },
    now: () => now,
    computed: () => now - idle,
    sheds: true,
    log,
  });
  overload.start();
  // Until the pace of the database is known.
  pass(5000);
});
afterEach(() => {
  overload.stop();
  jest.useRealTimers();
});

const beatMs = 50;
/** A beat that comes so many milliseconds late. */
const lateBeat = (lateMs: number): void => {
  now += beatMs + lateMs;
  // One statement a millisecond gets a connection.
  served += beatMs + lateMs;
  jest.advanceTimersByTime(beatMs);
};
const pass = (ms: number): void => {
  for (let passed = 0; passed < ms; passed += beatMs) lateBeat(0);
};
const refused = () => [overload.refuses('first'), overload.refuses('next'), overload.refuses('last')];

describe('calls at once', () => {
  const begin = (count: number): void => {
    for (let n = 0; n < count; n++) overload.begin();
  };

  it.each([
    [999, [undefined, undefined, undefined]],
    [1000, ['too-many-calls', undefined, undefined]],
    [2000, ['too-many-calls', 'too-many-calls', undefined]],
    [2500, ['too-many-calls', 'too-many-calls', 'too-many-calls']],
  ])('%i', (count, expected) => {
    begin(count);
    expect(refused()).toEqual(expected);
  });

  it('one that has ended makes room', () => {
    begin(1000);
    overload.end();
    expect(overload.refuses('first')).toBeUndefined();
  });
});

describe('statements that wait', () => {
  it('are no overload if their number soon drops again', () => {
    for (let burst = 0; burst < 10; burst++) {
      waiting = 500;
      pass(200);
      expect(refused()).toEqual([undefined, undefined, undefined]);
      waiting = 0;
      pass(100);
    }
  });

  it('are an overload if they stay, first for the calls that are refused first', () => {
    waiting = 251;
    pass(300);
    expect(refused()).toEqual(['database-busy', undefined, undefined]);
    waiting = 501;
    expect(refused()).toEqual(['database-busy', 'database-busy', undefined]);
    waiting = 799;
    expect(overload.refuses('last')).toBeUndefined();
    waiting = 800;
    expect(overload.refuses('last')).toBe('database-busy');
  });

  it('count by the time that they will wait', () => {
    waiting = 50;
    pass(300);
    expect(refused()).toEqual([undefined, undefined, undefined]);
    // None of them gets a connection any more.
    for (let beat = 0; beat < 100; beat++) {
      served -= beatMs;
      pass(beatMs);
    }
    expect(refused()).toEqual(['database-busy', 'database-busy', 'database-busy']);
    waiting = 0;
    expect(refused()).toEqual([undefined, undefined, undefined]);
  });

  it('are no overload after a quiet time', () => {
    const quiet = (ms: number): void => {
      for (let passed = 0; passed < ms; passed += beatMs) {
        served -= beatMs;
        lateBeat(0);
      }
    };
    quiet(60_000);
    // One statement takes half a second, and another one waits for it.
    waiting = 1;
    quiet(500);
    expect(refused()).toEqual([undefined, undefined, undefined]);
    // Nothing gets a connection any more.
    waiting = 50;
    quiet(3000);
    expect(refused()).toEqual(['database-busy', 'database-busy', 'database-busy']);
  });

  it('cause a refusal at once within five seconds of an overload', () => {
    waiting = 251;
    pass(300);
    waiting = 249;
    expect(overload.refuses('first')).toBeUndefined();
    pass(4900);
    waiting = 251;
    expect(overload.refuses('first')).toBe('database-busy');
    waiting = 0;
    pass(5100);
    waiting = 251;
    expect(overload.refuses('first')).toBeUndefined();
  });
});

describe('an event loop that is late', () => {
  it('once is no overload', () => {
    lateBeat(3000);
    expect(refused()).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    [90, [undefined, undefined, undefined]],
    [100, ['processor-busy', undefined, undefined]],
    [300, ['processor-busy', 'processor-busy', undefined]],
    [1000, ['processor-busy', 'processor-busy', 'processor-busy']],
  ])('by %i ms time and again', (lateMs, expected) => {
    for (let beat = 0; beat < 4; beat++) lateBeat(lateMs);
    expect(refused()).toEqual(expected);
  });

  it('and then in time again, refuses nobody', () => {
    for (let beat = 0; beat < 4; beat++) lateBeat(1000);
    lateBeat(0);
    expect(refused()).toEqual([undefined, undefined, undefined]);
  });
});

it('says once a second how many were refused', () => {
  waiting = 251;
  pass(1000);
  for (let n = 0; n < 5; n++) overload.refuses('first');
  pass(50);
  overload.refuses('first');
  pass(900);
  expect(log.of('shed').map(({ first }) => first)).toEqual([5]);
  pass(100);
  expect(log.of('shed').map(({ first }) => first)).toEqual([5, 1]);
});

it('refuses no call because other processes use the processor', () => {
  for (let beat = 0; beat < 20; beat++) {
    idle += 2000;
    lateBeat(2000);
  }
  expect(refused()).toEqual([undefined, undefined, undefined]);
});
