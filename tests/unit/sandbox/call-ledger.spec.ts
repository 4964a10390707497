import { connect } from 'node:net';
import express from 'express';
import { CallLedger } from '../../../src/sandbox/call-ledger';
import { openDoor } from '../../../src/sandbox/open-door';
import { Recent } from '../../../src/sandbox/recent';

describe('the ledger of a sandbox partner', () => {
  it('enters a call whose caller hung up with status 0', async () => {
    const ledger = new CallLedger();
    const app = express();
    const entered = new Promise<void>((resolve) => {
      app.use(ledger.record, (request, response) => {
        response.once('close', resolve);
        request.socket.destroy();
      });
    });
    const door = await openDoor(app, { host: '127.0.0.1', port: 0 });
    try {
      const socket = connect(Number(new URL(door.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET /hang HTTP/1.1\r\nHost: x\r\n\r\n');
      await entered;
      expect(ledger.calls()).toMatchObject([{ method: 'GET', path: '/hang', status: 0, requestId: undefined }]);
      socket.destroy();
    } finally {
      await door.close();
    }
  });

  it('keeps the newest values only', () => {
    const recent = new Recent<number>(2);
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const)
      recent.set(key, value);
    expect([recent.get('a'), recent.get('b'), recent.take('c'), recent.take('c')]).toEqual([undefined, 2, 3, undefined]);
  });
});
