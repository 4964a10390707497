import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

/** A Postgres that tests may create databases on. */
export interface PostgresServer {
  readonly url: string;
  /** How it came about, for the line that the run prints. */
  readonly origin: string;
  stop(): Promise<void>;
}

const UP_WITHIN_MS = 20_000;
/** Postgres refuses to run as root; this is `nobody` nearly everywhere, and always exists as a number. */
export const NOBODY = 65534;

/** The server named by the environment, the local one, or a private one where the binaries are on the machine. */
export async function findPostgres(): Promise<PostgresServer | undefined> {
  const named = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL'];
  const url = named ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const refusal = await whyUnreachable(url);
  if (!refusal) return { url, origin: named ? 'the one named by the environment' : 'the local one', stop: () => Promise.resolve() };
  if (named) throw new Error(`The Postgres that the environment names cannot be used: ${refusal}`);
  const binaries = findBinaries();
  return binaries ? startPrivateServer(binaries) : undefined;
}

async function whyUnreachable(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    await client.end();
    return undefined;
  } catch (error) {
    await client.end().catch(() => undefined);
    return error instanceof AggregateError ? String(error.errors[0]) : String(error);
  }
}

/** The folder of Postgres' programs on this machine, one that has all of these. */
export function findBinaries(programs: readonly string[] = ['initdb', 'postgres']): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...versions.map((version) => join(debian, version, 'bin'))];
  return folders.find((folder) => programs.every((program) => existsSync(join(folder, program))));
}

/** A cluster of its own in a temporary folder, reachable on loopback by everyone on the machine, gone with the run. */
export async function startPrivateServer(binaries: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-pg-'));
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if ('uid' in user) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, 'data');
  const port = await freePort();
  execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-locale', '--no-sync'], {
    ...user,
    cwd: folder,
    stdio: 'pipe',
  });
  const args = ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1', '-F'];
  const server = spawn(join(binaries, 'postgres'), args, { ...user, cwd: folder, stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    await ended(server, 'SIGINT');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', () => server.kill('SIGINT'));
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  try {
    await untilUp(url, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, origin: 'a private one of this run', stop };
}

async function untilUp(url: string, server: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + UP_WITHIN_MS;
  for (;;) {
    const refusal = await whyUnreachable(url);
    if (!refusal) return;
    if (server.exitCode !== null || performance.now() > giveUpAt) throw new Error(`The private Postgres did not come up: ${refusal}`);
    await pause(50);
  }
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  await new Promise((resolve) => {
    server.once('exit', resolve);
    server.kill(signal);
  });
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
