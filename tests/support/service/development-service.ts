import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A development service as `npm start` leaves it: embedded database, both sandbox partners, a data folder of its own. */
export interface DevelopmentService {
  /** All without a final slash. */
  readonly url: string;
  readonly hostAppUrl: string;
  readonly miniappUrl: string;
  readonly operatorToken: string;
  /** Where the sandbox partners keep what they have to remember. */
  readonly secretsFile: string;
  stop(): Promise<void>;
}

const main = join(__dirname, '../../../dist/src/main.js');
const upWithinMs = 60_000;

/** How often it is started at most: a port that was free may be another's by the time that it is listened on. */
const maxStarts = 3;

/** Starts it from the build on free ports, on a Postgres where its URL is given; resolves when it has printed where everything is. */
export async function startDevelopmentService(databaseUrl?: string): Promise<DevelopmentService> {
  for (let start = 1; ; start++) {
    try {
      return await startOnce(databaseUrl);
    } catch (error) {
      if (start === maxStarts || !String(error).includes('EADDRINUSE')) throw error;
    }
  }
}

async function startOnce(databaseUrl: string | undefined): Promise<DevelopmentService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pierhead-playground-'));
  const [port, sandboxPort] = [await freePorts(1), await freePorts(2)];
  const { DATABASE_URL: _none, ...inherited } = process.env;
  const settings = {
    NODE_ENV: 'development',
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    METRICS_PORT: '0',
    SHEDDING: 'off',
    // Every test signs in; on a quick machine that is more often than one person may.
    RATE_LIMITS: '{"sign-in": 1000}',
    DATA_DIR: dataDir,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const child = spawn(process.execPath, [main], { env: { ...inherited, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Not up in time: ${output}`)), upWithinMs);
    const onData = (chunk: Buffer): void => {
      output += chunk.toString();
      if (!output.includes('Next: ')) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.once('exit', () => reject(new Error(`It ended: ${output}`)));
  });
  return {
    url: `http://localhost:${port}`,
    hostAppUrl: `http://localhost:${sandboxPort}`,
    miniappUrl: `http://127.0.0.1:${sandboxPort + 1}`,
    operatorToken: readFileSync(join(dataDir, 'operator-token'), 'utf8').trim(),
    secretsFile: join(dataDir, 'sandbox-secrets.json'),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The first of so many ports in a row that nobody listens on now. */
async function freePorts(inARow: number): Promise<number> {
  for (;;) {
    const first = await listening(0);
    const next = inARow === 1 ? undefined : await listening(first.port + 1).catch(() => undefined);
    await first.close();
    await next?.close();
    if (inARow === 1 || next) return first.port;
  }
}

async function listening(port: number): Promise<{ port: number; close: () => Promise<unknown> }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.close();
    await once(server, 'close');
  };
  return { port: (server.address() as AddressInfo).port, close };
}
