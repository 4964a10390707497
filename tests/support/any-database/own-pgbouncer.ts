import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort, NOBODY } from '../postgres/postgres-server';

const upWithinMs = 10_000;

/** Debian's program, where the machine has it. */
export const pgbouncer = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((file) => existsSync(file));

/** A PgBouncer of a test's own before a database of the local server, with the settings that it has by default. */
export class OwnPgBouncer {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** @param mode - `session`, which is its default, or `transaction`. */
  static async start(
    database: { readonly name: string; readonly owner: string; readonly url: string },
    mode?: string,
  ): Promise<OwnPgBouncer> {
    if (pgbouncer === undefined) throw new Error('This machine has no pgbouncer: install it');
    const folder = mkdtempSync(join(tmpdir(), 'pierhead-pgbouncer-'));
    const [port, server] = [await freePort(), new URL(database.url)];
    const config = [
      ...['[databases]', `* = host=${server.hostname} port=${server.port || '5432'}`],
      ...['[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${String(port)}`, 'unix_socket_dir =', 'auth_type = trust'],
      ...[`auth_file = ${join(folder, 'users')}`, `pool_mode = ${mode ?? 'session'}`],
    ];
    writeFileSync(join(folder, 'users'), `"${database.owner}" ""\n`);
    writeFileSync(join(folder, 'pgbouncer.ini'), `${config.join('\n')}\n`);
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    if ('uid' in user) for (const file of [folder, join(folder, 'users'), join(folder, 'pgbouncer.ini')]) chownSync(file, NOBODY, NOBODY);
    const own = new OwnPgBouncer(spawn(pgbouncer, ['-q', join(folder, 'pgbouncer.ini')], { ...user, stdio: 'ignore' }), folder, port);
    await own.comesUp(own.urlOf(database)).catch(async (error: unknown) => {
      await own.stop();
      throw error;
    });
    return own;
  }

  /** The database by way of this pooler. */
  urlOf({ name, owner }: { readonly name: string; readonly owner: string }): string {
    return `postgres://${owner}@127.0.0.1:${String(this.port)}/${name}`;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = new Promise((resolve) => this.process.once('exit', resolve));
      this.process.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async comesUp(url: string): Promise<void> {
    const giveUpAt = performance.now() + upWithinMs;
    for (;;) {
      const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return;
      } catch (error) {
        if (performance.now() > giveUpAt || this.process.exitCode !== null) throw error;
        await pause(50);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }
}
