import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import { findBinaries, freePort, NOBODY } from '../../support/postgres/postgres-server';

const execute = promisify(execFile);
const upWithinMs = 30_000;
const pollEveryMs = 10;
const programs = ['initdb', 'postgres', 'pg_basebackup'];

const isHere = findBinaries(programs) !== undefined;
if (!isHere && process.env['CI'] === 'true') throw new Error(`CI has no Postgres programs (${programs.join(', ')}): install them`);
if (!isHere) process.stdout.write('Database faults: skipped, as this machine has no Postgres programs\n');

/** Runs where the machine has Postgres' programs; without them it is skipped, with a line, and fails in CI. */
export const describeOnOwnPostgres = isHere ? describe : describe.skip;

/** Files of a server that offers TLS. */
interface OwnTls {
  readonly certificate: string;
  readonly key: string;
  readonly authority?: string;
}

/**
 * A Postgres of a test's own: a folder, a free port on loopback, everyone a superuser. It flushes to the disk as a server
 * does (`fsync` on). Nothing else on the machine is touched.
 */
export class OwnPostgres {
  private postmaster: ChildProcess | undefined;
  private readonly onExit = (): void => void this.postmaster?.kill('SIGQUIT');

  private constructor(
    private readonly binaries: string,
    private readonly folder: string,
    readonly port: number,
  ) {
    process.once('exit', this.onExit);
  }

  static async create(): Promise<OwnPostgres> {
    const own = await OwnPostgres.prepare();
    const options = ['-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
    await execute(join(own.binaries, 'initdb'), ['-D', own.data, ...options], own.asUser);
    await own.start();
    return own;
  }

  /** A standby that follows this server under a name, and is waited for by no commit yet. */
  async follow(name: string): Promise<OwnPostgres> {
    const standby = await OwnPostgres.prepare();
    const source = `host=127.0.0.1 port=${String(this.port)} user=postgres application_name=${name}`;
    const options = ['-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'];
    await execute(join(this.binaries, 'pg_basebackup'), ['-D', standby.data, '-d', source, ...options], standby.asUser);
    await standby.start();
    return standby;
  }

  private static async prepare(): Promise<OwnPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'pierhead-own-pg-'));
    if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY);
    const binaries = findBinaries(programs);
    if (!binaries) throw new Error('There are no Postgres programs on this machine');
    return new OwnPostgres(binaries, folder, await freePort());
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${String(this.port)}/postgres`;
  }

  /** Starts the server; resolves when it takes connections, to the moment (as `performance.now`) from which it does. */
  async start(): Promise<number> {
    const args = ['-D', this.data, '-p', String(this.port), '-k', this.folder, '-h', '127.0.0.1'];
    const postmaster = spawn(join(this.binaries, 'postgres'), args, { ...this.asUser, stdio: 'ignore' });
    this.postmaster = postmaster;
    const giveUpAt = performance.now() + upWithinMs;
    for (;;) {
      const at = performance.now();
      const refusal = await this.query('select 1').then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (refusal === undefined) return at;
      if (postmaster.exitCode !== null || at > giveUpAt) throw new Error(`The test's own Postgres did not come up: ${refusal}`);
      await pause(pollEveryMs);
    }
  }

  /** As an operator stops it: `fast` ends sessions and writes a checkpoint, `immediate` leaves recovery to the next start. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    const { postmaster } = this;
    if (!postmaster || postmaster.exitCode !== null || postmaster.signalCode !== null) return;
    const ended = new Promise((resolve) => postmaster.once('exit', resolve));
    postmaster.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  /** As a machine dies: every process of the server at once, with `kill -9`. */
  async die(): Promise<void> {
    const { postmaster } = this;
    if (!postmaster) return;
    const ended = new Promise((resolve) => postmaster.once('exit', resolve));
    this.signalAll('SIGKILL');
    await ended;
  }

  /** As a machine or a disk that stands still: connections stay, nothing answers. */
  freeze(): void {
    this.signalAll('SIGSTOP');
  }

  thaw(): void {
    this.signalAll('SIGCONT');
  }

  /** One statement on a session of its own. */
  async query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const session = new Client({ connectionString: this.url, application_name: 'test', connectionTimeoutMillis: 2000 });
    session.on('error', () => undefined);
    try {
      await session.connect();
      return (await session.query<Row>(text, [...values])).rows;
    } finally {
      await session.end().catch(() => undefined);
    }
  }

  /** Changes a setting that a reload takes up, and waits until new sessions have it. */
  async set(name: string, value: string): Promise<void> {
    await this.query(`alter system set ${name} = '${value}'`);
    await this.query('select pg_reload_conf()');
    while ((await this.query<{ value: string }>(`select current_setting('${name}') as value`))[0]?.value !== value)
      await pause(pollEveryMs);
  }

  /** Offers TLS with this certificate, and takes certificates of that authority; files that a test made. */
  async useTls({ certificate, key, authority }: OwnTls): Promise<void> {
    for (const [from, name] of [
      [certificate, 'server.crt'],
      [key, 'server.key'],
      ...(authority === undefined ? [] : [[authority, 'root.crt'] as const]),
    ] as const) {
      const to = join(this.data, name);
      copyFileSync(from, to);
      chmodSync(to, 0o600);
      if (process.getuid?.() === 0) chownSync(to, NOBODY, NOBODY);
    }
    if (authority !== undefined) await this.set('ssl_ca_file', 'root.crt');
    await this.set('ssl', 'on');
  }

  /** Lets in who these lines of pg_hba.conf let in, and this class's own connections. */
  async admit(rules: readonly string[]): Promise<void> {
    const loaded = async (): Promise<string> => (await this.query<{ at: string }>('select pg_conf_load_time()::text as at'))[0]?.at ?? '';
    const before = await loaded();
    const lines = ['local all all trust', 'host postgres postgres 127.0.0.1/32 trust', ...rules];
    writeFileSync(join(this.data, 'pg_hba.conf'), `${lines.join('\n')}\n`);
    await this.query('select pg_reload_conf()');
    while ((await loaded()) === before) await pause(pollEveryMs);
  }

  /** Takes TCP connections by TLS alone from now on, this class's own too. */
  async insistOnTls(): Promise<void> {
    const rules = ['local all all trust', 'hostssl all all 127.0.0.1/32 trust'];
    writeFileSync(join(this.data, 'pg_hba.conf'), `${rules.join('\n')}\n`);
    await this.query('select pg_reload_conf()');
    const isRefused = (): Promise<boolean> =>
      this.query('select 1').then(
        () => false,
        () => true,
      );
    while (!(await isRefused())) await pause(pollEveryMs);
  }

  async remove(): Promise<void> {
    process.removeListener('exit', this.onExit);
    this.signalAll('SIGCONT');
    await this.stop('immediate');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  private get asUser(): { uid?: number; gid?: number; cwd: string } {
    return { ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }), cwd: this.folder };
  }

  /** The postmaster first, so that it starts nothing anew. Each of its children leads a process group of its own. */
  private signalAll(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.postmaster ?? {};
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    process.kill(pid, 'SIGSTOP');
    for (const child of childrenOf(pid)) signalProcess(child, signal);
    process.kill(pid, signal);
  }
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    // It found none.
    return [];
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
