import express from 'express';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { BodyReader } from '../../src/adapters/in/http/admission/body-reader';
import { readBytes } from '../../src/adapters/in/http/reading/body';
import { CollectingLog } from '../support/collecting-log';
import { operatorToken, startTestService, until, type TestService } from '../support/service/service';

/** Sends bodies and does not end them, until it is closed. */
class SlowSenders {
  private readonly sockets: Socket[] = [];
  /** The answer to each, in the order of their begin. */
  readonly messages: string[] = [];

  constructor(private readonly port: number) {}

  /** Announces so many bytes, and resolves when `sent` of them have left. */
  async begin(announced: number, sent: number, to = 'POST /api/v1/connect/ HTTP/1.1'): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    const n = this.sockets.push(socket) - 1;
    this.messages[n] = '';
    socket.on('data', (piece: Buffer) => (this.messages[n] = `${this.messages[n] ?? ''}${piece.toString('latin1')}`));
    socket.on('error', () => undefined);
    const head = `${to}\r\nHost: slow\r\nContent-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n`;
    await new Promise((resolve) => socket.write(head + ' '.repeat(sent), resolve));
    return socket;
  }

  get refused(): number[] {
    return this.messages.flatMap((text, n) => (text.startsWith('HTTP/1.1 503 ') ? [n] : []));
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}

it('300 senders that never end their bodies hold at most 64 MiB, and others are served', async () => {
  const service = await startTestService();
  const senders = new SlowSenders(Number(new URL(service.url).port));
  const [each, maxBytes] = [260_000, 64 * 1024 * 1024];
  try {
    await Promise.all(Array.from({ length: 300 }, () => senders.begin(each + 1, each)));
    await until(
      () => Promise.resolve(senders.refused.length),
      (refused) => refused === 300 - Math.floor(maxBytes / each),
    );
    const [first = ''] = senders.messages.filter((text) => text !== '');
    expect(first).toMatch(/^HTTP\/1\.1 503 [^]*"error_code":"SERVICE_UNAVAILABLE"/);
    expect(first).toContain('\r\nConnection: close\r\n');
    expect(first).toContain('\r\nRetry-After: 1\r\n');
    const { status } = await service.call('POST', '/api/v1/connect/', { body: { client_id: 'host_nobody', app_id: 'app_nobody' } });
    expect(status).toBeLessThan(500);
    expect(service.logText()).toContain('bodies-refused');
  } finally {
    senders.close();
    await service.close();
  }
});

describe('a sender of a body that is too large', () => {
  let service: TestService;
  let senders: SlowSenders;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());
  beforeEach(() => {
    senders = new SlowSenders(Number(new URL(service.url).port));
  });
  afterEach(() => senders.close());

  const answer = () =>
    until(
      () => Promise.resolve(senders.messages[0] ?? ''),
      (text) => text !== '',
      5000,
    );

  it.each([
    ['sends nothing', 0],
    ['stops after 300 kB', 300_000],
  ])('and %s is refused before the body ends', async (_what, sent) => {
    await senders.begin(100_000_000_000, sent);
    const text = await answer();
    expect(text).toMatch(/^HTTP\/1\.1 413 [^]*"error_code":"PAYLOAD_TOO_LARGE"/);
    expect(text).toContain('\r\nConnection: close\r\n');
  });

  it('is refused so by the manage API, too', async () => {
    await senders.begin(100_000_000_000, 0, `POST /manage/v1/host-apps HTTP/1.1\r\nAuthorization: Bearer ${operatorToken}`);
    const text = await answer();
    expect(text).toMatch(/^HTTP\/1\.1 413 [^]*content-too-large/);
    expect(text).toContain('\r\nConnection: close\r\n');
  });

  it('and goes on sending reads its refusal when it has ended', async () => {
    const [pieces, each] = [8, 100_000];
    const socket = await senders.begin(pieces * each, 0);
    for (let n = 0; n < pieces; n++) {
      expect(senders.messages[0]).toBe('');
      await new Promise((resolve) => setTimeout(resolve, 250));
      socket.write(' '.repeat(each));
    }
    expect(await answer()).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('with room for 1,000 bytes, 600 for each body', () => {
  let bodies: BodyReader;
  let server: Server;
  let port: number;
  let senders: SlowSenders;
  beforeEach(async () => {
    bodies = new BodyReader({ limit: 600, log: new CollectingLog(), now: () => performance.now(), maxBytes: 1000 });
    const app = express().use(readBytes(bodies), (req, res) => void res.send(String((req.body as Buffer).length)));
    app.use(((error: { code?: string }, _req, res, _next) => {
      res.status(error.code === 'PAYLOAD_TOO_LARGE' ? 413 : 503).end();
    }) satisfies express.ErrorRequestHandler);
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
    senders = new SlowSenders(port);
  });
  afterEach(async () => {
    senders.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const send = async (bytes: number) => {
    const reply = await fetch(`http://127.0.0.1:${String(port)}/`, { method: 'POST', body: 'x'.repeat(bytes) });
    return [reply.status, await reply.text()];
  };
  const holds = (bytes: number) =>
    until(
      () => Promise.resolve(bodies.bytes),
      (held) => held === bytes,
    );

  it('bodies that were read take no room', async () => {
    for (let n = 0; n < 5; n++) expect(await send(600)).toEqual([200, '600']);
    expect(bodies.bytes).toBe(0);
  });

  it('the one that has been coming in for longest makes room', async () => {
    await senders.begin(600, 450);
    await holds(450);
    await senders.begin(600, 450);
    await holds(900);
    expect(await send(300)).toEqual([200, '300']);
    expect(senders.refused).toEqual([0]);
    expect(bodies.bytes).toBe(450);
  });

  it('a sender that leaves frees its bytes, and an announced length takes none', async () => {
    for (let n = 0; n < 10; n++) await senders.begin(600, 1);
    await senders.begin(600, 500);
    await holds(510);
    senders.close();
    await holds(0);
  });

  it('a body beyond its own limit is refused, and evicts no other', async () => {
    await senders.begin(600, 450);
    await holds(450);
    const body = new ReadableStream({
      start: (stream) => {
        for (let n = 0; n < 20; n++) stream.enqueue(Buffer.alloc(400));
        stream.close();
      },
    });
    const reply = await fetch(`http://127.0.0.1:${String(port)}/`, { method: 'POST', body, duplex: 'half' });
    expect(reply.status).toBe(413);
    expect(senders.refused).toEqual([]);
    expect(bodies.bytes).toBe(450);
  });
});
