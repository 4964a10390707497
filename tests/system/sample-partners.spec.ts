import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { aPair, type Pair } from '../support/signatures/a-pair';
import { samplesFolder } from '../support/documents/sample-documents';
import { startTestService, until, type TestService } from '../support/service/service';

const hostSecret = 'a-secret-of-host-app-and-platform-0123456789';
const miniSecret = 'a-secret-of-miniapp-and-platform-0123456789';

/** How a program of the samples is run: as a server, and for one deed. */
interface Program {
  readonly serve: (port: number) => readonly [string, ...string[]];
  readonly action: (...args: readonly string[]) => readonly [string, ...string[]];
}

const php = join(samplesFolder, 'php/hmac/host_app.php');
const programOf = (command: string, name: string): Program => ({
  serve: (port) => [command, join(samplesFolder, name), 'serve', String(port)],
  action: (...args) => [command, join(samplesFolder, name), ...args],
});
const hostAppInPhp: Program = {
  serve: (port) => ['php', '-S', `127.0.0.1:${String(port)}`, php],
  action: (...args) => ['php', php, ...args],
};

/** An address that is known before what stands behind it listens. */
class Doorstep {
  private port = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => {
    const onward = connect(this.port, '127.0.0.1');
    for (const [one, other] of [[socket, onward] as const, [onward, socket] as const]) {
      this.sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => this.sockets.delete(one));
      one.pipe(other);
    }
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  leadTo(port: number): void {
    this.port = port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A port that is free now: both programs are given theirs before they listen. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { method: 'POST' }).then(
    () => true,
    () => false,
  );

/** What a program prints. Rejects where it fails. */
const outputOf = ([command, ...args]: readonly [string, ...string[]], env: Record<string, string>): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(command, args, { env: { ...process.env, ...env }, timeout: 40_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command}: ${stderr || error.message}`));
      else resolve(stdout.trim());
    });
  });

describe.each<[string, Program, Program]>([
  ['a host app in PHP and a miniapp in Python', hostAppInPhp, programOf('python3', 'python/hmac/miniapp.py')],
  [
    'a host app and a miniapp in Node, with the kit',
    programOf(process.execPath, 'node/host-app.mjs'),
    programOf(process.execPath, 'node/miniapp.mjs'),
  ],
])('%s, made of the samples alone', (_name, hostAppProgram, miniappProgram) => {
  const doorstep = new Doorstep();
  const started: ChildProcess[] = [];
  let service: TestService;
  let pair: Pair;
  let hostApp: Record<string, string>;
  let miniapp: Record<string, string>;
  let output = '';

  beforeAll(async () => {
    const publicUrl = await doorstep.open();
    service = await startTestService({ env: { PUBLIC_BASE_URL: publicUrl } });
    doorstep.leadTo(Number(new URL(service.url).port));
    const [hostPort, miniPort] = [await freePort(), await freePort()];
    const [hostUrl, miniUrl] = [hostPort, miniPort].map((port) => `http://127.0.0.1:${String(port)}`) as [string, string];
    const signature = { enabled: true, algorithm: 'HMAC', api_client_id: 'cid_1' };
    pair = await aPair(service, {
      ...{ hostAppUrl: hostUrl, miniappUrl: miniUrl },
      hostApp: { create_order_payment_url: `${hostUrl}/create`, signature: { ...signature, hmac_secret: hostSecret } },
      miniapp: { webhook_url: `${miniUrl}/webhook`, signature: { ...signature, hmac_secret: miniSecret } },
    });
    hostApp = { PLATFORM: publicUrl, OWN_URL: hostUrl, CLIENT_ID: pair.clientId, HMAC_SECRET: hostSecret };
    miniapp = { PLATFORM: publicUrl, OWN_URL: miniUrl, APP_ID: pair.appId, SECRET_KEY: pair.miniSecret, HMAC_SECRET: miniSecret };
    const start = ([command, ...args]: readonly [string, ...string[]], env: Record<string, string>): ChildProcess => {
      const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
      started.push(child);
      return child;
    };
    start(hostAppProgram.serve(hostPort), hostApp);
    const listening = start(miniappProgram.serve(miniPort), miniapp);
    listening.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    for (const url of [hostUrl, miniUrl]) await until(() => answers(url), Boolean, 60_000);
  }, 180_000);
  afterAll(async () => {
    for (const child of started) child.kill();
    await service.close();
    await doorstep.close();
  });

  const order = () => outputOf(miniappProgram.action('order', pair.clientId, 'order-1', '24.90'), miniapp);

  it('sign a user on', async () => {
    const pairOfTokens = await outputOf(hostAppProgram.action('connect', pair.appId, 'user-mia-0001'), hostApp);
    expect(JSON.parse(pairOfTokens)).toEqual({ token: 'session-of-user-mia-0001', refresh_token: '' });
  }, 90_000);

  it('pay and complete, each order once', async () => {
    const id = await order();
    expect(id).toMatch(/^op-[0-9a-f]{16}$/);
    expect(await order()).toBe(id);
    const completed = await outputOf(hostAppProgram.action('complete', pair.appId, id, 'paid'), hostApp);
    expect(JSON.parse(completed)).toEqual({ order_payment_id: id, payment_status: 'paid' });
    await until(
      async () => output,
      (lines) => lines.includes(id),
      30_000,
    );
    expect(output).toBe(`${id} paid\n`);
  }, 180_000);

  it('refuse each other where one holds another secret', async () => {
    const outcome = (command: readonly [string, ...string[]], env: Record<string, string>): Promise<string> =>
      outputOf(command, env).catch((error: unknown) => String(error));
    const ordered = await outcome(miniappProgram.action('order', pair.clientId, 'order-2', '1'), { ...miniapp, HMAC_SECRET: hostSecret });
    expect(ordered).toMatch(/401|INVALID_SIGNATURE/);
    const connected = await outcome(hostAppProgram.action('connect', pair.appId, 'user-mia-0001'), { ...hostApp, HMAC_SECRET: miniSecret });
    expect(connected).toMatch(/401|INVALID_SIGNATURE/);
    for (const url of [`${hostApp['OWN_URL'] ?? ''}/create`, `${miniapp['OWN_URL'] ?? ''}/auth`]) {
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    }
  }, 120_000);
});
