import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpEndpointProbeGateway } from '../../../src/adapters/out/partner-http/deliveries/http-endpoint-probe-gateway';
import { OutboundGuard } from '../../../src/adapters/out/partner-http/outbound-guard';
import { NodeIpAddressMatcher } from '../../../src/adapters/out/system/addresses';

const probeWith = (networks: readonly string[]) =>
  new HttpEndpointProbeGateway({
    guard: new OutboundGuard({ addresses: new NodeIpAddressMatcher(), rules: { allowHttp: true, networks } }),
    elapsed: () => performance.now(),
  });

describe('HttpEndpointProbeGateway', () => {
  let server: Server;
  const seen: string[] = [];
  beforeAll(async () => {
    server = createServer((req, res) => {
      seen.push(`${String(req.method)} ${String(req.url)} ${String(req.headers.authorization)}`);
      res.writeHead(405, { Connection: 'close' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const port = (): string => String((server.address() as AddressInfo).port);

  it('counts any status as an answer, and sends no credentials', async () => {
    expect(await probeWith(['127.0.0.0/8']).probe(`http://127.0.0.1:${port()}/webhook`)).toMatchObject({ status: 405 });
    expect(seen).toEqual(['HEAD /webhook undefined']);
  });

  it('says why there is no answer', async () => {
    expect(await probeWith(['127.0.0.0/8']).probe('http://127.0.0.1:1/')).toMatchObject({ problem: 'connect' });
    expect(await probeWith(['127.0.0.0/8']).probe(`https://127.0.0.1:${port()}/`)).toMatchObject({ problem: 'tls-protocol' });
  });

  it('does not go where partners may not be called', async () => {
    expect(await probeWith([]).probe(`http://127.0.0.1:${port()}/`)).toMatchObject({ problem: 'denied-address' });
    expect(await probeWith(['10.0.0.0/8']).probe(`http://localhost:${port()}/`)).toMatchObject({ problem: 'denied-address' });
    expect(seen).toHaveLength(1);
  });
});
