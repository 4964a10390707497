import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { testRun } from '../../support/test-run';
import { ImageReplay } from './image-replay';

/** A port that nobody listens on now. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

/** What a process did: how it ended and all that it printed. */
async function ended(child: ReturnType<ImageReplay['start']>): Promise<{ code: number | null; output: string }> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

const secrets = ['DATABASE_URL', 'OPERATOR_TOKEN', 'ENCRYPTION_KEYS'];
const seconds = 1000;

describe('the image', () => {
  const replay = new ImageReplay();
  const admin = new Client({ connectionString: testRun.requirePostgresUrl() });
  const database = `${testRun.prefix()}_image`;
  beforeAll(async () => {
    await admin.connect();
    await admin.query(`create database ${database}`);
    replay.build();
  }, 600 * seconds);
  afterAll(async () => {
    await admin.query(`drop database if exists ${database} with (force)`);
    await admin.end();
    replay.remove();
  }, 60 * seconds);

  const settings = async (): Promise<Record<string, string>> => ({
    PORT: await freePort(),
    METRICS_PORT: await freePort(),
    DATABASE_URL: new URL(`/${database}`, testRun.requirePostgresUrl()).href,
    OPERATOR_TOKEN: randomBytes(24).toString('base64url'),
    ENCRYPTION_KEYS: `first:${randomBytes(32).toString('base64')}`,
    PUBLIC_BASE_URL: 'https://platform.example',
  });
  const health = async (env: Record<string, string>): Promise<number | null> =>
    (await ended(replay.start(replay.execForm('HEALTHCHECK'), env))).code;

  it(
    'starts in production, is healthy, and stops with 0 on SIGTERM',
    async () => {
      const env = await settings();
      expect(await health(env)).toBe(1);
      const service = replay.start(replay.execForm('CMD'), env);
      const end = ended(service);
      const deadline = Date.now() + 30 * seconds;
      let healthy = 1;
      while (healthy !== 0 && service.exitCode === null && Date.now() < deadline) {
        await pause(200);
        healthy = (await health(env)) ?? 1;
      }
      service.kill('SIGTERM');
      const { code, output } = await end;
      expect({ healthy, code, output }).toEqual({ healthy: 0, code: 0, output: expect.any(String) as string });
      expect(await health(env)).toBe(1);
      for (const name of secrets) expect(output).not.toContain(env[name]);
    },
    90 * seconds,
  );

  it(
    'does not start without its settings, and names all that are missing',
    async () => {
      const { code, output } = await ended(replay.start(replay.execForm('CMD'), { PORT: await freePort() }));
      expect(code).not.toBe(0);
      for (const name of [...secrets, 'PUBLIC_BASE_URL']) expect(output).toContain(name);
    },
    30 * seconds,
  );

  it('holds what production needs and nothing else', () => {
    const { folder } = replay.image;
    const lock = JSON.parse(readFileSync(join(folder, '../build/app/package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
    };
    const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
    const present = (path: string): boolean => existsSync(join(folder, 'app', path));
    expect(packages.filter(([path, { dev }]) => dev === true && present(path))).toEqual([]);
    const needed = packages.filter(([, { dev, optional, devOptional }]) => !dev && !optional && !devOptional);
    expect(needed.length).toBeGreaterThan(50);
    expect(needed.filter(([path]) => !present(path))).toEqual([]);
    expect(readdirSync(join(folder, 'app')).sort()).toEqual(['LICENSE', 'dist', 'docs', 'node_modules', 'package.json']);
    expect(readdirSync(folder).sort()).toEqual(['app', 'data']);
  });

  it('runs as somebody who cannot change it', async () => {
    expect(replay.image.user).not.toMatch(/^(?:root|0)(?::|$)/);
    const touch = (path: string) => ['node', '-e', `require('fs').writeFileSync('${path}', '')`];
    expect((await ended(replay.start(touch('dist/src/main.js'), {}))).code).toBe(1);
    expect((await ended(replay.start(touch('added.js'), {}))).code).toBe(1);
    expect((await ended(replay.start(touch(`${replay.image.folder}/data/kept`), {}))).code).toBe(0);
  });

  it('carries no secret: the environment of the image names none', () => {
    expect(Object.keys(replay.image.env).sort()).toEqual(['DATA_DIR', 'NODE_ENV']);
    expect(replay.stages.every(({ base }) => base === 'node:26-bookworm-slim')).toBe(true);
  });

  it('takes nothing from the work tree that is not named', () => {
    expect(existsSync(join(replay.folder, 'build/app/tests'))).toBe(false);
    expect(existsSync(join(replay.folder, 'build/app/.git'))).toBe(false);
  });
});
