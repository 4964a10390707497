import { DatabaseHealth } from '../../../src/adapters/out/postgres/health/database-health';
import { asDomainError } from '../../../src/adapters/out/postgres/connection/postgres-errors';
import { CollectingLog } from '../../support/collecting-log';

const full = asDomainError(Object.assign(new Error('could not extend file'), { code: '53100' })) as Error;

let now: number;
let writes: number;
let write: () => Promise<void>;
let log: CollectingLog;
let health: DatabaseHealth;

beforeEach(() => {
  jest.useFakeTimers();
  now = 0;
  writes = 0;
  write = () => Promise.resolve();
  log = new CollectingLog();
  const counted = (): Promise<void> => {
    writes++;
    return write();
  };
  health = new DatabaseHealth({ write: counted, log, now: () => now });
});
afterEach(async () => {
  await health.stop();
  jest.useRealTimers();
});

it('writes once in two seconds, however often it is asked', async () => {
  expect(await Promise.all([health.reasons(), health.reasons()])).toEqual([[], []]);
  now = 1999;
  await health.reasons();
  expect(writes).toBe(1);
  now = 2000;
  await health.reasons();
  expect(writes).toBe(2);
});

it('logs once why the database cannot serve, with the SQLSTATE, and recovers by itself', async () => {
  write = () => Promise.reject(full);
  expect(await health.reasons()).toEqual(['database-full']);
  now = 3000;
  expect(await health.reasons()).toEqual(['database-full']);
  write = () => Promise.resolve();
  now = 6000;
  expect(await health.reasons()).toEqual([]);
  expect(log.lines.map(({ event, fields }) => [event, fields])).toEqual([
    ['database-cannot-serve', { reason: 'database-full', sqlstate: '53100' }],
    ['database-serves-again', {}],
  ]);
});

it('reports an unforeseen error as database-error', async () => {
  write = () => Promise.reject(Object.assign(new Error('no such table'), { code: '42P01' }));
  expect(await health.reasons()).toEqual(['database-error']);
});

it('answers within three seconds if the database does not', async () => {
  let end = (): void => undefined;
  write = () => new Promise((resolve) => (end = resolve));
  const reading = health.reasons();
  await jest.advanceTimersByTimeAsync(3000);
  expect(await reading).toEqual(['database-busy']);
  end();
  await jest.advanceTimersByTimeAsync(0);
  expect(await health.reasons()).toEqual([]);
});

it('checks by itself, so that the log names the cause without a request', async () => {
  health.start();
  write = () => Promise.reject(full);
  await jest.advanceTimersByTimeAsync(15_000);
  expect(log.lines.map(({ event }) => event)).toEqual(['database-cannot-serve']);
});
