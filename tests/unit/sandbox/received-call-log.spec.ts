import { connect } from 'node:net';
import express from 'express';
import { ReceivedCallLog } from '../../../src/sandbox/partners/received-call-log';
import { openServer } from '../../../src/sandbox/open-server';
import { Recent } from '../../../src/sandbox/partners/recent';

describe('the store of a sandbox partner', () => {
  it('enters a call whose caller hung up with status 0', async () => {
    const store = new ReceivedCallLog();
    const app = express();
    const entered = new Promise<void>((resolve) => {
      app.use(store.record, (request, response) => {
        response.once('close', resolve);
        request.socket.destroy();
      });
    });
    const server = await openServer(app, { host: '127.0.0.1', port: 0 });
    try {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET /hang HTTP/1.1\r\nHost: x\r\n\r\n');
      await entered;
      expect(store.calls()).toMatchObject([{ method: 'GET', path: '/hang', status: 0, requestId: undefined }]);
      socket.destroy();
    } finally {
      await server.close();
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
