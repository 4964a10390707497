import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const cli = resolve(__dirname, '../../dist/src/cli.js');
const budgetMs = 10_000;

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly ms: number;
}

/** The built command, with nothing of this process's settings but PATH. */
function demo(folder: string): Promise<Run> {
  const began = performance.now();
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), METRICS_PORT: '0' };
  return new Promise((done) => {
    const child = execFile(process.execPath, [cli, 'demo'], { env, cwd: folder, timeout: 60_000 }, (_error, stdout, stderr) => {
      done({ code: child.exitCode, out: stdout + stderr, ms: performance.now() - began });
    });
  });
}

describe('npm run demo', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('walks users through connect and authorize on a machine with nothing set up, in less than ten seconds', async () => {
    const { code, out, ms } = await demo(folder);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('All 10 legs as expected.') as string });
    const legs = out.split('\n').filter((line) => /^\s*\d+ .*→/.test(line));
    expect(legs).toHaveLength(10);
    for (const leg of legs) expect(leg).toMatch(/✓$/);
    expect(ms).toBeLessThan(budgetMs);
  }, 70_000);
});
