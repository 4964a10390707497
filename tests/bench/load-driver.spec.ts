import { join } from 'node:path';
import { end, startListening } from './child-process';
import { describeLoad } from './load-suite';
import { cpuMsOfTree, residentMb, treeOf } from './process-cost';

// Wrk has to be installed: its turn is with the system tests.
describeLoad('autocannon');

it('the floor goes through to the partner', async () => {
  const stub = await startListening(join(__dirname, 'stub-partners.cjs'));
  const floor = await startListening(join(__dirname, 'relay.cjs'), [String(stub.port)]);
  const answer = await fetch(floor.url, { method: 'POST', body: '{"user_data":{"reference":"u1"}}' });
  expect(await answer.json()).toEqual({ token: 'mini-token', refresh_token: 'mini-refresh' });
  await end(floor.child);
  await end(stub.child);
});

it('what a process costs is read with what it has started', () => {
  expect(treeOf(process.pid)[0]).toBe(process.pid);
  expect(cpuMsOfTree(process.pid)).toBeGreaterThan(0);
  expect(residentMb(process.pid)).toBeGreaterThan(10);
  expect(cpuMsOfTree(2 ** 22 + 1)).toBe(0);
});
