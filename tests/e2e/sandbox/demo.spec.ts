import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';

const cli = resolve(__dirname, '../../../dist/src/cli.js');
const legCount = 34;

interface Run {
  readonly code: number | null;
  readonly out: string;
}

/** The built command, with nothing of this process's settings but PATH. How long it takes is measured by the benchmark. */
function demo(folder: string, given: Readonly<Record<string, string>> = {}): Promise<Run> {
  const env = { PATH: process.env.PATH, TMPDIR: folder, ...given };
  return new Promise((done) => {
    const child = spawn(process.execPath, [cli, 'demo'], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const out: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => out.push(text));
    child.once('close', (code) => done({ code, out: out.join('') }));
  });
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
    'runs every scenario on %s, and leaves nothing behind',
    async (kind) => {
      const { code, out } = await demo(folder, await environments[kind]());
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`All ${legCount} legs as expected.`) as string });
      expect(out).toContain(kind === 'embedded' ? 'Database: embedded' : 'Database: Postgres');
      const legs = out.split('\n').filter((line) => /^\s*\d+ .*→/.test(line));
      expect(legs).toHaveLength(legCount);
      for (const leg of legs) expect(leg).toMatch(/✓$/);
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
