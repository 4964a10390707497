import express, { type Request, type Response } from 'express';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setViewer } from '../../../../../src/adapters/in/http/manage/http/access';
import { partnerLimits } from '../../../../../src/adapters/in/http/manage/limits/partner-budget';
import { PartnerThrottle } from '../../../../../src/adapters/in/http/manage/limits/partner-throttle';
import { throttleAccounts } from '../../../../../src/adapters/in/http/manage/limits/throttle-accounts';
import type { Calls } from '../../../../../src/adapters/in/http/manage/http/call';
import { serve } from '../../../../../src/adapters/in/http/manage/http/serve';

describe('the slot of a partner’s call', () => {
  let server: Server;
  let ends: (() => void)[];
  let received: number;
  let left: number;
  let begun: number;
  beforeEach(async () => {
    [ends, received, left, begun] = [[], 0, 0, 0];
    const router = express.Router();
    router.use((_req, res, next) => {
      received++;
      res.once('close', () => left++);
      setViewer(res, { role: 'host-app', clientId: 'host_a', name: 'Mia', accountId: 'acc' });
      next();
    });
    router.use(throttleAccounts({ add: () => undefined }, new PartnerThrottle()));
    const calls = { held: { at: 'GET /held', id: 'held', summary: 'Wait', who: 'everyone' } } satisfies Calls;
    const held = async (_req: Request, res: Response): Promise<void> => {
      begun++;
      await new Promise<void>((end) => ends.push(end));
      res.end('done');
    };
    serve({ router, readBody: express.raw() }, calls, { held });
    server = createServer(express().use(router));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const call = () => {
    const sent = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', path: '/held', agent: false });
    return sent.on('error', () => undefined).end();
  };
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  };

  it('stays taken while its work goes on, though the caller has left', async () => {
    const { running } = partnerLimits;
    const gone = Array.from({ length: running }, call);
    await until(() => begun === running);
    for (const one of gone) one.destroy();
    await until(() => left === running);

    const answered = once(call(), 'response');
    await until(() => received === running + 1);
    for (let turn = 0; turn < 10; turn++) await new Promise((next) => setImmediate(next));
    expect(begun).toBe(running);
    ends.shift()?.();
    await until(() => begun === running + 1);
    for (const end of ends.splice(0)) end();
    await answered;
  });
});
