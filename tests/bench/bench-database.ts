import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { findPostgres, type PostgresServer } from '../support/postgres/postgres-server';
import { cpuMsOf } from './process-cost';

/** A database of the benchmark's own, and what its connections cost. Its Postgres is started where none listens. */
export class BenchDatabase {
  private constructor(
    readonly url: string,
    readonly version: string,
    private readonly name: string,
    private readonly admin: Client,
    private readonly server: PostgresServer,
    private readonly connection: Client,
  ) {}

  static async open(label = 'calls'): Promise<BenchDatabase> {
    const server = await findPostgres();
    if (!server) throw new Error('No Postgres: start one, set DATABASE_URL, or install the binaries');
    const admin = new Client({ connectionString: server.url });
    await admin.connect();
    // Named as the tests' databases are: a run of the tests removes what a killed run of ours has left.
    const name = `pierhead_test_${Date.now().toString(36)}_${process.pid}_bench_${label}`;
    await admin.query(`create database ${name}`);
    await haveWalFiles(admin);
    const { rows } = await admin.query<{ server_version: string }>('show server_version');
    const url = new URL(`/${name}${new URL(server.url).search}`, server.url).href;
    const connection = new Client({ connectionString: url });
    await connection.connect();
    return new BenchDatabase(url, rows[0]?.server_version.split(' ')[0] ?? '', name, admin, server, connection);
  }

  /** One that is there already, and stays. */
  static async at(url: string): Promise<BenchDatabase> {
    const [admin, connection] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
    await admin.connect();
    await connection.connect();
    const { rows } = await admin.query<{ server_version: string }>('show server_version');
    const kept = { url, origin: 'the one that is there', stop: () => Promise.resolve() };
    return new BenchDatabase(url, rows[0]?.server_version.split(' ')[0] ?? '', '', admin, kept, connection);
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.connection.query(text, [...values])).rows as Row[];
  }

  /**
   * Milliseconds of processor time by connection to this database, ours left out. Empty where the server is on another machine.
   * What the server does for all databases (log writer, checkpoints, vacuum) is not in it.
   */
  async cpuMs(): Promise<ReadonlyMap<number, number>> {
    const { rows } = await this.admin.query<{ pid: number }>('select pid from pg_stat_activity where datname = $1 and pid <> all($2)', [
      this.name,
      [(this.connection as unknown as { processID: number }).processID],
    ]);
    return new Map(rows.filter(({ pid }) => isPostgres(pid)).map(({ pid }) => [pid, cpuMsOf(pid)]));
  }

  async close(): Promise<void> {
    await this.connection.end();
    if (this.name !== '') await this.admin.query(`drop database if exists ${this.name} with (force)`);
    await this.admin.end();
    await this.server.stop();
  }
}

/** Of 16 MB each: as many as come between two checkpoints, as Postgres is set up by default. */
const walFiles = 60;

/**
 * A server in use takes the files of its log again and again. A new one makes each anew, 16 MB of zeros; every commit of that moment
 * waits 50 to 150 ms; that would count as the latency of calls. Left out where the server lets nobody ask for it.
 */
async function haveWalFiles(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ may: boolean }>(`select has_function_privilege('pg_switch_wal()', 'execute') as may`);
  if (rows[0]?.may !== true) return;
  for (let n = 0; n < walFiles; n++) {
    // A file without content is not ended.
    await admin.query(`select pg_logical_emit_message(false, 'bench', ''), pg_switch_wal()`);
  }
  await admin.query('checkpoint');
}

/** The usage between two readings; a connection without a first one began in between. */
export const usedBetween = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number =>
  [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);

function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
}
