import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { until } from '../../support/service/service';
import { openFaultProxy, type FaultProxy } from '../../faults/harness/fault-proxy';

/** Says everything back. */
let echo: Server;
let proxy: FaultProxy;
const sockets = new Set<Socket>();

beforeAll(async () => {
  echo = createServer((socket) => void socket.on('error', () => undefined).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  proxy = await openFaultProxy((echo.address() as AddressInfo).port);
});
afterEach(() => {
  proxy.set(undefined);
  for (const socket of sockets) socket.destroy();
});
afterAll(async () => {
  await proxy.close();
  await new Promise((resolve) => echo.close(resolve));
});

/** One connection: what it hears, in pieces, and how it ended. */
async function line() {
  const socket = connect(proxy.port, '127.0.0.1');
  sockets.add(socket);
  const at = { text: '', pieces: 0, ended: '' };
  socket.on('data', (chunk: Buffer) => {
    at.text += chunk.toString('latin1');
    at.pieces++;
  });
  socket.on('error', (error: NodeJS.ErrnoException) => (at.ended = error.code ?? 'error'));
  socket.on('close', () => (at.ended ||= 'closed'));
  await new Promise((resolve) => {
    socket.once('connect', resolve);
    socket.once('error', resolve);
  });
  const has = (text: string) =>
    until(
      async () => at.text,
      (now) => now === text,
    );
  const ends = () =>
    until(
      async () => at.ended,
      (now) => now !== '',
    );
  return { at, has, ends, send: (text: string) => socket.write(text) };
}

describe('the wire of the fault tests', () => {
  it('passes everything on while nothing is set', async () => {
    const one = await line();
    one.send('hello');
    await one.has('hello');
    expect(proxy.open).toBe(1);
  });

  it('holds back while it stalls, and passes it on once mended', async () => {
    const one = await line();
    proxy.set({ kind: 'stall' });
    one.send('later');
    const other = await line();
    await expect(Promise.race([one.ends(), new Promise((resolve) => setTimeout(resolve, 60, 'silence'))])).resolves.toBe('silence');
    expect(one.at.text).toBe('');
    other.send('too');
    proxy.set(undefined);
    await Promise.all([one.has('later'), other.has('too')]);
  });

  it('delays both directions by the given time', async () => {
    const one = await line();
    proxy.set({ kind: 'latency', ms: 40 });
    const began = performance.now();
    one.send('slow');
    await one.has('slow');
    expect(performance.now() - began).toBeGreaterThanOrEqual(79);
  });

  it('cuts a connection in the middle of a message', async () => {
    const one = await line();
    proxy.set({ kind: 'limit', bytes: 3, toward: 'client' });
    one.send('abcdef');
    await one.ends();
    expect([one.at.text, proxy.cut]).toEqual(['abc', 1]);
  });

  it('is away while it is down, and back when mended', async () => {
    const one = await line();
    proxy.set({ kind: 'down' });
    await one.ends();
    const refused = await line();
    await refused.ends();
    proxy.set(undefined);
    const again = await line();
    again.send('back');
    await again.has('back');
  });

  it('resets open connections', async () => {
    const one = await line();
    one.send('x');
    await one.has('x');
    proxy.reset();
    expect(await one.ends()).toBe('ECONNRESET');
  });

  it('cuts into slices, and keeps to a bandwidth', async () => {
    const one = await line();
    proxy.set({ kind: 'slice', bytes: 1, everyMs: 2 });
    one.send('abcd');
    await one.has('abcd');
    expect(one.at.pieces).toBe(4);
    proxy.set({ kind: 'bandwidth', bytesPerSecond: 1000 });
    const began = performance.now();
    one.send('x'.repeat(30));
    await one.has(`abcd${'x'.repeat(30)}`);
    expect(performance.now() - began).toBeGreaterThanOrEqual(59);
  });
});
