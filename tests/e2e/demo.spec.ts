import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../support/database';

const cli = resolve(__dirname, '../../dist/src/cli.js');
/** Of processor time: what the command takes on a machine that does nothing else, however busy this one is. */
const budgetS = 10;
const legCount = 34;

interface Run {
  readonly code: number | null;
  readonly out: string;
  /** Processor time, in seconds. */
  readonly cpuS: number;
}

/** The built command, with nothing of this process's settings but PATH; the shell around it tells what time it took (POSIX `times`). */
function demo(folder: string, given: Readonly<Record<string, string>> = {}): Promise<Run> {
  const env = { PATH: process.env.PATH, TMPDIR: folder, ...given };
  const script = '"$0" "$1" demo; code=$?; times >&3; exit $code';
  return new Promise((done) => {
    const child = spawn('sh', ['-c', script, process.execPath, cli], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    const [out, times]: [string[], string[]] = [[], []];
    for (const [fd, said] of [
      [1, out],
      [2, out],
      [3, times],
    ] as const) {
      (child.stdio[fd] as Readable).setEncoding('utf8').on('data', (text: string) => said.push(text));
    }
    child.once('close', (code) => done({ code, out: out.join(''), cpuS: childrenSeconds(times.join('')) }));
  });
}

/** The second line is of the shell's children: user and system time, such as `0m3.210s 0m0.640s`. */
function childrenSeconds(times: string): number {
  const spent = [...(times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return spent.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

describe('npm run demo', () => {
  let folder: string;
  let database: TestDatabase | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-'));
  });
  afterEach(async () => {
    await database?.close();
    database = undefined;
    await rm(folder, { recursive: true });
  });

  const environments = {
    embedded: async () => ({}),
    postgres: async () => {
      database = await openTestDatabase('postgres');
      if (database.target.kind !== 'postgres') throw new Error('not a Postgres');
      return { DATABASE_URL: database.target.url };
    },
  };
  const traces = async (): Promise<unknown> =>
    database?.db.query(
      `select nspname from pg_namespace where nspname like 'pierhead%' union all select 'kept key' from kept_keys union all select id from host_apps`,
    );

  it.each(databaseKinds)(
    'walks users through everything on %s in less than ten seconds, and leaves nothing behind',
    async (kind) => {
      const { code, out, cpuS } = await demo(folder, await environments[kind]());
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`All ${legCount} legs as expected.`) as string });
      expect(out).toContain(kind === 'embedded' ? 'Database: embedded' : 'Database: Postgres');
      const legs = out.split('\n').filter((line) => /^\s*\d+ .*→/.test(line));
      expect(legs).toHaveLength(legCount);
      for (const leg of legs) expect(leg).toMatch(/✓$/);
      expect(cpuS).toBeGreaterThan(0);
      expect(cpuS).toBeLessThan(budgetS);
      expect(await readdir(folder)).toEqual([]);
      expect((await traces()) ?? []).toEqual([]);
    },
    70_000,
  );

  it('ends with a failure where the database cannot be had', async () => {
    const { code, out } = await demo(folder, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' });
    expect(code).toBe(2);
    expect(out).toMatch(/ECONNREFUSED/);
    expect(await readdir(folder)).toEqual([]);
  });
});
