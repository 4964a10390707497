import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RefusedConnections } from '../../../src/adapters/in/http/admission/refused-connections';

describe('connections whose calls are refused', () => {
  let now: number;
  let receivedAt: number[];
  let server: Server;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  beforeEach(async () => {
    now = 10_000;
    receivedAt = [];
    const connections = new RefusedConnections(() => now);
    server = createServer((_req, res) => {
      receivedAt.push(performance.now());
      connections.refused(res);
      res.writeHead(503).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  afterAll(() => agent.destroy());

  const call = (): Promise<number> =>
    new Promise((done, failed) => {
      const { port } = server.address() as AddressInfo;
      const outgoing = request({ port, host: '127.0.0.1', agent, method: 'POST', headers: { 'Content-Length': 2 } }, (res) =>
        res.resume().once('end', () => done(res.statusCode ?? 0)),
      );
      outgoing.once('error', failed).end('{}');
    });
  /** How long the server took until it heard of another call than those before. */
  const nextAfter = async (calls: number): Promise<number> => {
    for (let n = 0; n < calls; n++) await call();
    const [last = 0] = receivedAt.slice(-1);
    expect(await call()).toBe(503);
    return (receivedAt.at(-1) ?? 0) - last;
  };

  it('are read as ever while there are few', async () => {
    expect(await nextAfter(20)).toBeLessThan(900);
  });

  it('are paused for a second if there are many', async () => {
    expect(await nextAfter(500)).toBeGreaterThan(900);
  });

  it('are read as ever when those of the second before last were many', async () => {
    for (let n = 0; n < 499; n++) await call();
    now += 2000;
    expect(await nextAfter(2)).toBeLessThan(900);
  });
});
