import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { end, startListening } from '../child-process';
import { LoadDriver, type Delays, type LoadJob } from './load-driver';
import { describeLoad } from './load-suite';
import { cpuMsOfTree, residentMb, treeOf } from '../process-cost';

interface TimedCalls {
  readonly times: ArrayLike<number>;
}
const { pacedCalls } = jest.requireActual<{ pacedCalls: (job: LoadJob) => Promise<TimedCalls> }>('./paced-calls.cjs');
const { delaysBySecond } = jest.requireActual<{ delaysBySecond: (calls: TimedCalls) => Delays[] }>('./call-times.cjs');

// Wrk has to be installed: its turn is with the system tests.
describeLoad('autocannon');

it('calls at an even rate all count in the requested seconds, even if the last were late', async () => {
  const stub = await startListening(join(__dirname, '../stub-partners.cjs'));
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now++);
  const request = { method: 'POST', path: '/auth', headers: {}, body: '{}' } as const;
  const calls = await pacedCalls({ url: stub.url, requests: [request], connections: 8, seconds: 1, perSecond: 1000 });
  clock.mockRestore();
  expect(now).toBeGreaterThan(1000);
  expect(calls.times.length).toBeGreaterThan(100);
  expect(delaysBySecond(calls)).toHaveLength(1);
  await end(stub.child);
});

it('a load whose process has ended fails', async () => {
  const stub = await startListening(join(__dirname, '../stub-partners.cjs'));
  const driver = LoadDriver.start('autocannon');
  const request = { method: 'POST', path: '/auth', headers: {}, body: '{}' } as const;
  const load = driver.run({ url: stub.url, requests: [request], connections: 1, seconds: 60 });
  process.kill(driver.pid, 'SIGKILL');
  await expect(load).rejects.toThrow('The process that makes the load has ended');
  await end(stub.child);
});

it('what a process costs is read with what it has started', () => {
  expect(treeOf(process.pid)[0]).toBe(process.pid);
  expect(cpuMsOfTree(process.pid)).toBeGreaterThan(0);
  expect(residentMb(process.pid)).toBeGreaterThan(10);
  expect(cpuMsOfTree(2 ** 22 + 1)).toBe(0);
});
