import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { databaseKinds } from '../../support/postgres/database';
import { fencesOf, fencesOfKind } from '../../support/documents/documents';
import { testRun } from '../../support/test-run';
import { startServiceProcess } from '../../support/service/service-process';

const guide = 'docs/guides/operator.md';
const notify = `k1:${Buffer.alloc(32, 9).toString('base64')}`;
const pierhead = `#!/bin/sh\nshift\nexec '${process.execPath}' '${resolve(__dirname, '../../../dist/src/cli.js')}' "$@"\n`;

const hasPostgresTools = ((): boolean => {
  try {
    execFileSync('sh', ['-c', 'command -v pg_dump pg_restore'], { stdio: 'ignore' });
    return true;
  } catch {
    if (process.env.CI === 'true') throw new Error('CI has no pg_dump');
    return false;
  }
})();

const name = `${databaseKinds.includes('postgres') ? testRun.prefix() : ''}_docs_${randomBytes(4).toString('hex')}`;
const urlOf = (database: string, user?: string): string => {
  const url = new URL(`/${database}`, testRun.requirePostgresUrl());
  if (user !== undefined) Object.assign(url, { username: user, password: 'change-me' });
  return url.href;
};
const asAdmin = async (...statements: readonly string[]): Promise<void> => {
  const admin = new Client({ connectionString: testRun.requirePostgresUrl() });
  await admin.connect();
  for (const statement of statements) await admin.query(statement);
  await admin.end();
};
/** The names of the guide, as they are on a cluster that others use too. */
const named = (text: string): string =>
  text.replace(/\bpierhead_owner\b/g, `${name}_owner`).replace(/\b(role|database|owner) pierhead\b/g, `$1 ${name}`);

(databaseKinds.includes('postgres') ? describe : describe.skip)('what the operators’ guide has its readers do', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'operator-'));
    await writeFile(join(folder, 'npx'), pierhead);
    await chmod(join(folder, 'npx'), 0o755);
    for (const { text } of fencesOfKind('sql')) await asAdmin(...named(text).trim().split(/;\n?/).filter(Boolean));
    await asAdmin(`create database ${name}_kept`, `create database ${name}_restored`);
  });
  afterAll(async () => {
    for (const database of [name, `${name}_kept`, `${name}_restored`]) await asAdmin(`drop database if exists ${database} with (force)`);
    for (const role of [`${name}_owner`, name]) await asAdmin(`drop role if exists ${role}`);
    await rm(folder, { recursive: true });
  });

  const run = (script: string, env: Record<string, string>): Promise<string> =>
    new Promise((done) => {
      const path = { PATH: `${folder}:${process.env.PATH ?? ''}` };
      execFile('sh', ['-ec', script], { cwd: folder, env: { ...path, ...env }, timeout: 60_000 }, (error, _out, stderr) =>
        done(error ? stderr : ''),
      );
    });

  it('two roles and the settings of production start a service that can serve', async () => {
    const [settings] = fencesOfKind('sh env');
    expect(await run(settings!.text, {})).toBe('');
    const lines = (await readFile(join(folder, 'pierhead.env'), 'utf8')).trimEnd().split('\n');
    const given = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
    const there = { DATABASE_URL: urlOf(name, name), MIGRATION_DATABASE_URL: urlOf(name, `${name}_owner`), WORKERS: '1' };
    const service = await startServiceProcess({ ...given, ...there, HOST: '127.0.0.1' });
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    const answer = await fetch(`${service.url}/manage/v1/session`, { headers: { Authorization: `Bearer ${given['OPERATOR_TOKEN']}` } });
    expect(answer.status).toBe(200);
    expect(await service.end('SIGTERM')).toBe(0);
  }, 120_000);

  it('the SQL of the database page creates a role, its database and its schema', async () => {
    const example = `${name}_example`;
    const [made, placed] = fencesOfKind('sql example').map(({ text }) =>
      text
        .replace(/\bpierhead\b/g, example)
        .split(/;\n?/)
        .filter(Boolean),
    );
    try {
      await asAdmin(...made!);
      const admin = new Client({ connectionString: urlOf(example) });
      await admin.connect();
      for (const statement of placed!) await admin.query(statement);
      const { rows } = await admin.query('select schema_owner from information_schema.schemata where schema_name = $1', [example]);
      await admin.end();
      expect(rows).toEqual([{ schema_owner: example }]);
    } finally {
      await asAdmin(`drop database if exists ${example} with (force)`, `drop role if exists ${example}`);
    }
  });

  (hasPostgresTools ? it : it.skip)(
    'a dump restores to what it was, and says so',
    async () => {
      const env = { DATABASE_URL: urlOf(`${name}_kept`), ENCRYPTION_KEYS: notify, RESTORED_URL: urlOf(`${name}_restored`) };
      const operator = { Authorization: `Bearer ${'t'.repeat(20)}`, 'Content-Type': 'application/json' };
      const before = await startServiceProcess({ ...env, OPERATOR_TOKEN: 't'.repeat(20) });
      const made = await fetch(`${before.url}/manage/v1/miniapps`, { method: 'POST', headers: operator, body: '{"name":"Kept"}' });
      expect(made.status).toBe(201);
      await before.end('SIGTERM');
      for (const { text } of fencesOf(guide).filter(({ kind }) => kind === 'sh postgres')) expect(await run(text, env)).toBe('');
      const after = await startServiceProcess({ ...env, DATABASE_URL: env.RESTORED_URL, OPERATOR_TOKEN: 't'.repeat(20) });
      const kept = (await (await fetch(`${after.url}/manage/v1/miniapps`, { headers: operator })).json()) as { data: { name: string }[] };
      expect(kept.data.map((one) => one.name)).toEqual(['Kept']);
      await after.end('SIGTERM');
    },
    180_000,
  );
});
