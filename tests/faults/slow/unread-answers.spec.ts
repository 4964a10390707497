import express from 'express';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { listen, type HttpServer } from '../../../src/composition/processes/http-server';
import { until } from '../../support/service/service';

/** Long enough for a busy machine to take a part in the meantime. */
const unreadMs = 2000;
const mebibyte = 1024 * 1024;
/** More than the system keeps for a connection whose other end does not read. */
const large = Buffer.alloc(16 * mebibyte, 'x');

describe('a caller that does not read its answer', () => {
  let server: HttpServer;
  let begun: number;
  let closed: number;
  let sockets: Socket[];
  beforeEach(async () => {
    [begun, closed, sockets] = [0, 0, []];
    const app = express().get('/small', (_req, res) => void res.end('small'));
    app.use((_req, res, next) => {
      begun++;
      res.once('close', () => closed++);
      next();
    });
    app.get('/whole', (_req, res) => void res.end(large));
    const part = mebibyte / 4;
    const parts = Array.from({ length: large.length / part }, (_, n) => large.subarray(n * part, (n + 1) * part));
    app.get('/parts', (_req, res) => void Readable.from(parts).pipe(res));
    server = await listen(app, { host: '127.0.0.1', port: 0 }, { unreadMs });
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close(0);
  });

  /** Sends requests and reads nothing. */
  const callUnread = async (path: string, times = 1): Promise<Socket> => {
    const socket = connect(server.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    sockets.push(socket);
    const requests = `GET ${path} HTTP/1.1\r\nHost: slow\r\n\r\n`.repeat(times);
    await new Promise<void>((sent) => socket.write(requests, () => sent()));
    return socket;
  };
  const small = async (): Promise<string> => (await fetch(`http://127.0.0.1:${String(server.port)}/small`)).text();
  const allClosed = () =>
    until(
      () => Promise.resolve([begun, closed]),
      ([answers = 0, over]) => answers >= sockets.length && answers === over,
    );

  it.each(['/whole', '/parts'])('loses its connection and its buffered answer, while others are served (%s)', async (path) => {
    for (let n = 0; n < 100; n++) await callUnread(path);
    expect(await small()).toBe('small');
    await allClosed();
    expect(await small()).toBe('small');
  });

  it('has one answer made at a time, however many requests it sends', async () => {
    await callUnread('/whole', 200);
    await allClosed();
    expect(begun).toBe(1);
  });

  it('has its requests answered in their order when it reads them after all', async () => {
    const socket = await callUnread('/small', 3);
    let text = '';
    socket.on('data', (piece: Buffer) => (text += piece.toString('latin1'))).resume();
    await until(
      () => Promise.resolve(text.split('small').length - 1),
      (answers) => answers === 3,
    );
  });

  it('keeps its connection as long as it takes part after part', async () => {
    const startedAt = performance.now();
    const socket = await callUnread('/parts');
    let read = 0;
    const sip = setInterval(() => void (read += (socket.read() as Buffer | null)?.length ?? 0), 10);
    await until(
      () => Promise.resolve(read),
      (bytes) => bytes >= large.length,
    );
    clearInterval(sip);
    expect(performance.now() - startedAt).toBeGreaterThan(unreadMs);
  });
});
