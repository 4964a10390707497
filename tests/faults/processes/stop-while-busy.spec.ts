import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import express from 'express';
import { listen } from '../../../src/composition/processes/http-server';

const count = 200;

/** Nothing runs here meanwhile, as in a process that gets no time to. */
const standStill = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it('connections that wait to be accepted when the port closes are still answered', async () => {
  const server = await listen(
    express().use((_request, response) => void response.end('{}')),
    { host: '127.0.0.1', port: 0 },
  );
  const callers = fork(join(__dirname, '../harness/many-gets.cjs'), { execArgv: [] });
  const report = once(callers, 'message');
  await new Promise((resolve) => callers.send({ port: server.port, count }, resolve));
  standStill(1500);
  await server.close(10_000);
  expect(await report).toEqual([{ answered: count }, undefined]);
});
