import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../../src/cli';
import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import { runCommand, type Ended } from '../../support/service/command-line';
import { leaves, referenceRow } from '../../support/service/command-tree';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';

const root = join(__dirname, '../../..');
const pierhead = (...args: string[]): Promise<Ended> => runCommand(commands, args);
const nothingThere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' };

describe('the help of the command line', () => {
  it('lists the commands, and says what the exit codes mean', async () => {
    const { code, out, err } = await pierhead('--help');
    expect([code, err]).toEqual([0, '']);
    for (const { name } of leaves()) expect(out).toContain(`  ${name.split(' ')[0]!} `);
    expect(out).toMatch(/Exit codes: 0 .*; 1 .*; 2 /);
  });

  it.each(leaves().map(({ name }) => name))('of %s says what it does and gives examples of it', async (name) => {
    const { code, out, err } = await pierhead(...name.split(' '), '--help');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`Usage: pierhead ${name}`);
    expect(out).toMatch(new RegExp(`Examples:\n(.*\n)*.*pierhead ${name}`));
    const { command } = leaves().find((leaf) => leaf.name === name)!;
    for (const { description } of command.options) expect(description).not.toBe('');
    // What reports something reports it as JSON, too; a service that serves reports nothing.
    if (name !== 'start') expect(command.options.map(({ long }) => long)).toContain('--json');
  });

  it('is what the operators’ guide says', () => {
    const normal = (line: string): string => line.replace(/\s+/g, ' ');
    const guide = readFileSync(join(root, 'docs/guides/operator.md'), 'utf8').split('\n').map(normal);
    expect(
      leaves()
        .map(referenceRow)
        .map(normal)
        .filter((row) => !guide.includes(row)),
    ).toEqual([]);
  });
});

describe('wrong usage of the command line', () => {
  it.each<[string, string[], string]>([
    ['an unknown command', ['migrat'], 'Did you mean migrate?'],
    ['an unknown command below another', ['keys', 'lst'], 'Did you mean list?'],
    ['an unknown option', ['demo', '--jsn'], 'Did you mean --json?'],
    ['no command', [], 'Usage: pierhead'],
    ['a required option left out', ['listen', '--app', 'app_x'], "required option '--forward <url>' not specified"],
    ['a word that is not among the choices', ['sandbox', 'dials', '--partner', 'both'], 'Allowed choices are host-app, miniapp'],
    ['a time without a unit', ['sandbox', 'advance', '6'], 'such as 90s, 10m, 6h or 7d'],
    ['a word too many', ['migrate', 'now'], 'too many arguments'],
    ['what was kept in another form', ['audit', 'verify', '--kept', '7'], 'What was kept must be id:hash'],
  ])('%s ends with 2 and says so on standard error alone', async (_what, args, message) => {
    expect(await pierhead(...args)).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  it.each([['migrate'], ['keys list'], ['audit verify'], ['demo']])('%s without its database ends with 2, in words', async (name) => {
    const { code, out, err } = await runCommand(commands, name.split(' '), nothingThere);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^[^\n]*ECONNREFUSED[^\n]*\n$/);
  });

  it('names every setting that is wrong', async () => {
    const { code, err } = await runCommand(commands, ['migrate'], { PORT: 'x', WORKERS: '0' });
    expect([code, err]).toEqual([2, expect.stringMatching(/PORT[^]*WORKERS/)]);
  });

  it('says that no simulated partner answers', async () => {
    expect(await pierhead('sandbox', 'clock', '--sandbox-port', '1')).toMatchObject({
      code: 2,
      err: expect.stringContaining('npm start starts them'),
    });
  });
});

describe('reports as JSON', () => {
  let database: TestDatabase | undefined;
  afterAll(() => database?.close());
  const asJson = async (name: string, env: Record<string, string> = {}): Promise<unknown> => {
    const { code, out, err } = await runCommand(commands, [...name.split(' '), '--json'], env);
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out);
  };

  it('errors: every code with its meaning', async () => {
    const { codes } = (await asJson('errors')) as { codes: { code: string }[] };
    expect(codes.find(({ code }) => code === 'INVALID_INPUT')).toMatchObject({
      meaning: expect.any(String),
      retryable: false,
      acts: 'caller',
    });
  });

  (databaseKinds.includes('postgres') ? it : it.skip)('migrate, keys list, keys reencrypt, audit verify', async () => {
    database = await openTestDatabase('postgres');
    const url = { DATABASE_URL: database.target.kind === 'postgres' ? database.target.url : '' };
    const notify = { ...url, ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}` };
    expect(await asJson('migrate', url)).toEqual({ migrated: [] });
    expect(await asJson('keys list', url)).toEqual({ keys: [] });
    expect(await asJson('keys reencrypt', notify)).toMatchObject({ key: 'k1', columns: expect.any(Array), others: [] });
    expect(await asJson('audit verify', url)).toEqual({ whole: true, entries: 0 });
  });
});

describe('pierhead sandbox', () => {
  const close: (() => Promise<void>)[] = [];
  let port: number;
  beforeAll(async () => {
    // The miniapp has the port after the host app's, and that may be taken.
    for (let tries = 0; close.length === 0 && tries < 20; tries++) {
      const hostApp = await new SandboxHostApp().start({ host: '127.0.0.1', port: 0 });
      port = Number(new URL(hostApp.url).port);
      const next = await new SandboxMiniapp().start({ host: '127.0.0.1', port: port + 1 }).catch(() => undefined);
      if (next) close.push(hostApp.close, next.close);
      else await hostApp.close();
    }
  });
  afterAll(async () => {
    for (const one of close) await one();
  });
  const sandbox = (...args: string[]) => pierhead('sandbox', ...args, '--sandbox-port', String(port));

  it('turns the dials of one partner, shows them, and puts them back', async () => {
    const set = await sandbox('dials', '--partner', 'miniapp', '--error', '30', '--delay', '5', '--seed', '7');
    expect([set.code, set.out]).toEqual([0, expect.stringMatching(/^delay_ms +5\nerror_percent +30\n/)]);
    const shown = await sandbox('dials', '--partner', 'miniapp', '--json');
    expect(JSON.parse(shown.out)).toMatchObject({ delay_ms: 5, error_percent: 30, seed: 7 });
    expect(JSON.parse((await sandbox('dials', '--partner', 'host-app', '--json')).out)).toMatchObject({ error_percent: 0 });
    expect(await sandbox('dials', '--partner', 'miniapp', '--error', '130')).toMatchObject({
      code: 2,
      err: expect.stringContaining('from 0 to 100'),
    });
    expect(await sandbox('dials', '--partner', 'miniapp', '--off', '--hang', '1')).toMatchObject({ code: 2 });
    expect((await sandbox('reset')).code).toBe(0);
    expect(JSON.parse((await sandbox('dials', '--partner', 'miniapp', '--json')).out)).toMatchObject({ delay_ms: 0, error_percent: 0 });
  });
});

describe('the program as it is shipped', () => {
  const start = (...args: string[]) =>
    spawn(process.execPath, [join(root, 'dist/src/cli.js'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = (child: ReturnType<typeof start>): Promise<{ code: number | null; out: string; err: string }> => {
    const output = { out: '', err: '' };
    child.stdout.on('data', (text: Buffer) => (output.out += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output.err += text.toString()));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output })));
  };

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await ended(start('--version'))).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('ends quietly where its reader has had enough', async () => {
    const child = start('errors');
    const end = ended(child);
    child.stdout.destroy();
    expect(await end).toMatchObject({ code: 0, err: '' });
  });
});
