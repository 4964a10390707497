import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { T } from '../../../src/composition/tokens/tokens';
import { PartnerIsolation } from '../../../src/domain/isolation/partner-isolation';
import type { Pair } from '../../support/signatures/a-pair';
import { startTestService, until, type TestService } from '../../support/service/service';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';

/** Longer than the connections of this machine hold unread. */
const largeText = 'x'.repeat(5 * 1024 * 1024);
const calls = 3;

describe('a partner that takes connections and reads no request', () => {
  const isolation = new PartnerIsolation({ share: 0.25, now: () => performance.now() });
  let service: TestService;
  let hostApp: StubPayingHostApp;
  let deaf: Server;
  const sockets: Socket[] = [];
  let pair: Pair;
  let well: Pair;
  beforeAll(async () => {
    deaf = createServer({ pauseOnConnect: true }, (socket) => void sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((up) => deaf.listen(0, '127.0.0.1', up));
    service = await startTestService({
      env: { PAYMENT_TIMEOUT_MS: '4000', BODY_LIMIT: String(8 * 1024 * 1024) },
      change: (container) => void container.rebind(T.partnerIsolation).toConstantValue(isolation),
    });
    hostApp = await new StubPayingHostApp().start();
    const deafUrl = `http://127.0.0.1:${String((deaf.address() as AddressInfo).port)}`;
    pair = await aPayingPair(service, hostApp, { hostApp: { create_order_payment_url: `${deafUrl}/create` } });
    well = await aPayingPair(service, hostApp);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([new Promise((down) => deaf.close(down)), hostApp.stop()]);
    await service.close();
  });

  const create = ({ clientId, appId, basic }: Pair, rest: string) =>
    service.call('POST', '/api/v1/orders/create-order-payment/', {
      headers: basic,
      body: { client_id: clientId, app_id: appId, order: { amount: '1', currency: 'USD', rest } },
    });

  it('holds its slots and sockets no longer than the call may take', async () => {
    const startedAt = performance.now();
    const large = Promise.all(Array.from({ length: calls }, () => create(pair, largeText)));
    await until(
      () => Promise.resolve(sockets.length),
      (count) => count > 0,
    );
    expect((await create(well, 'short')).status).toBe(200);
    for (const { status, body } of await large) {
      expect([status, body]).toMatchObject([
        400,
        { error_code: 'UNEXPECTED_RESPONSE_ERROR', custom_attributes: { side: 'hostapp', cause: 'timeout' } },
      ]);
    }
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(isolation.calls).toBe(0);
    // A paused socket hears of its end when it is read, also one that connected in the meantime.
    await until(
      () => Promise.resolve(sockets.filter((socket) => !socket.resume().destroyed).length),
      (open) => open === 0,
    );
  });
});
