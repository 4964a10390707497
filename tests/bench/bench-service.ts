import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createReadStream, existsSync, openSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/postgres/postgres-server';
import { shippedFlags } from '../support/service/shipped-flags';
import { end, endsWithUs } from './child-process';
import { ownFolder, removeFolder } from './own-folder';
import { residentMb, treeOf } from './process-cost';

/** What signed requests have as their base, whatever port is listened on. */
export const publicBase = 'https://platform.example';
export const operatorToken = 'operator-token-of-the-benchmark';

const upWithinMs = 60_000;
const pollMs = 5;
const beyondReach = 1_000_000_000;
/** Calls of browsers, which have a limit a minute. */
const limitedCalls = ['authorize', 'partner_login', 'get_consent', 'settings', 'track', 'approved_miniapps'];

/** What the service seals under. */
export const encryptionKey = { id: 'k1', key: Buffer.alloc(32, 7) };

const production = (databaseUrl: string) => ({
  ...{ NODE_ENV: 'production', DATABASE_URL: databaseUrl, PUBLIC_BASE_URL: publicBase, OPERATOR_TOKEN: operatorToken },
  ENCRYPTION_KEYS: `${encryptionKey.id}:${encryptionKey.key.toString('base64')}`,
  ...{ PARTNER_HTTP: 'allow', PARTNER_NETWORKS: '127.0.0.0/8' },
  // The limiter counts as ever; one address makes all the load, and must not reach the limit.
  RATE_LIMITS: JSON.stringify(Object.fromEntries(limitedCalls.map((call) => [call, beyondReach]))),
});

/** The service as it is shipped: a process of its own from a build, production settings, its log in a file. */
export class BenchService {
  private constructor(
    readonly url: string,
    readonly child: ChildProcess,
    readonly pid: number,
    /** Milliseconds from its start until it said that it was ready. */
    readonly startMs: number,
    private readonly folder: string,
    private readonly log: string,
  ) {}

  static onPostgres(
    build: string,
    databaseUrl: string,
    env: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
  ): Promise<BenchService> {
    return this.start(build, { ...production(databaseUrl), ...env }, flags);
  }

  /** On the embedded database, which is for development; a first start, in an empty folder. */
  static embedded(build: string): Promise<BenchService> {
    return this.start(build, { NODE_ENV: 'development', SANDBOX: 'off' });
  }

  /** How long `npm run demo` takes from its start to its end, in milliseconds. Throws when it fails. */
  static async demo(build: string): Promise<number> {
    const startedAt = performance.now();
    const env = { PATH: process.env['PATH'] };
    const child = endsWithUs(spawn(process.execPath, [join(build, 'src/cli.js'), 'demo'], { env, stdio: 'ignore' }));
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The demo ended with ${code}`);
    return performance.now() - startedAt;
  }

  private static async start(build: string, env: Readonly<Record<string, string>>, more: readonly string[] = []): Promise<BenchService> {
    const folder = ownFolder(tmpdir(), 'pierhead-bench-');
    const port = await freePort();
    const logFile = join(ownFolder(logFolder(), 'pierhead-bench-log-'), 'log');
    const log = openSync(logFile, 'a');
    const fixed = { PORT: String(port), HOST: '127.0.0.1', METRICS_PORT: '0', DATA_DIR: folder, PROBE_FOLDER: folder };
    const startedAt = performance.now();
    const flags = [...shippedFlags, ...furtherFlags, ...ownFlags(build), ...more];
    const child = spawn(process.execPath, [...flags, '--require', probe, join(build, 'src/main.js')], {
      env: { PATH: process.env['PATH'], ...fixed, ...env },
      stdio: ['ignore', log, log],
    });
    endsWithUs(child);
    closeSync(log);
    const url = `http://127.0.0.1:${port}`;
    const giveUpAt = startedAt + upWithinMs;
    while (!(await isReady(url))) {
      if (child.exitCode !== null || performance.now() > giveUpAt) {
        child.kill('SIGKILL');
        throw new Error(`The service did not start: ${readFileSync(logFile, 'utf8').slice(-4000)}`);
      }
      await pause(pollMs);
    }
    return new BenchService(url, child, child.pid ?? 0, performance.now() - startedAt, folder, logFile);
  }

  /** The memory of its largest process, in MB. */
  get residentMb(): number {
    return Math.max(...treeOf(this.pid).map(residentMb));
  }

  /** Bytes that the heaps of its processes are asked for while `work` runs. */
  async allocatedDuring(work: () => Promise<void>): Promise<number> {
    const files = treeOf(this.pid).map((pid) => [pid, join(this.folder, `${pid}.json`)] as const);
    for (const [pid] of files) process.kill(pid, 'SIGUSR2');
    await work();
    for (const [pid] of files) process.kill(pid, 'SIGUSR2');
    let bytes = 0;
    for (const [, file] of files) {
      for (let n = 0; n < 400 && !existsSync(file); n++) await pause(pollMs);
      bytes += (JSON.parse(readFileSync(file, 'utf8')) as { bytes: number }).bytes;
      rmSync(file);
    }
    return bytes;
  }

  /** What it has logged at level warn or above, each event once with how often. */
  async complaints(): Promise<ReadonlyMap<string, number>> {
    const printed = new Map<string, number>();
    // After ten minutes of load the log is longer than the longest string.
    for await (const line of createInterface({ input: createReadStream(this.log) })) {
      const [, event] = /^(?=.*"level":"(?:warn|error)").*"message":"([^"]+)"/.exec(line) ?? [];
      if (event !== undefined) printed.set(event, (printed.get(event) ?? 0) + 1);
    }
    return printed;
  }

  async stop(): Promise<void> {
    await end(this.child);
    [this.folder, dirname(this.log)].forEach(removeFolder);
  }
}

const probe = join(__dirname, 'allocation-probe.cjs');
/** A log of ten minutes under full load has a gigabyte. */
const logBytes = 4 * 1024 ** 3;
const inMemory = '/dev/shm';

/**
 * Where logs are written: not to the disk that the database commits to, where there is memory for them. What a file system does for a file that
 * grows keeps commits waiting, and a service's log and its database are seldom on one disk.
 */
function logFolder(): string {
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > logBytes ? inMemory : tmpdir();
}

/** Further options of Node, for a profile, say. */
const furtherFlags = listed(process.env['BENCH_FLAGS'] ?? '');

/** Options of Node for one build alone, to compare flags as builds are compared: the words of its file `flags`. */
const ownFlags = (build: string): readonly string[] =>
  existsSync(join(build, 'flags')) ? listed(readFileSync(join(build, 'flags'), 'utf8')) : [];

function listed(flags: string): readonly string[] {
  return flags.split(/\s+/).filter((flag) => flag !== '');
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );
}
