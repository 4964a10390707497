import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDatabase } from '../../../src/adapters/out/postgres/connection/open-database';
import { builtEmbedded } from '../../support/postgres/embedded-databases';

/** The embedded database under processes that die, or that come twice. */
describe('the embedded database and its processes', () => {
  let dataDir: string;
  const children: ChildProcess[] = [];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'pierhead-kill-'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  const open = () => openDatabase({ dataDir, migrate: false, builtFolder: builtEmbedded, onFatal: () => undefined });

  /** Starts a process that inserts, and kills it -9 once it has printed so many acknowledged rows; resolves to the last one. */
  async function insertAndKill(rows: number): Promise<number> {
    const child = inserter(dataDir, children);
    let last = 0;
    let seen = 0;
    for await (const line of createInterface({ input: child.stdout! })) {
      last = Number(line);
      seen += 1;
      if (seen === rows) child.kill('SIGKILL');
    }
    return last;
  }

  it('keeps every acknowledged row when its process is killed -9 during inserts', async () => {
    let acknowledged = 0;
    for (const rows of [1, 150, 400]) {
      acknowledged = await insertAndKill(rows);
      const { db, close } = await open();
      const [{ count, max }] = await db.query('select count(*)::int as count, max(n) as max from acknowledged');
      await close();
      // At most the one row under way when the process died may be there without having been acknowledged.
      expect([acknowledged, acknowledged + 1]).toContain(max);
      expect(count).toBe(max);
    }
    expect(acknowledged).toBeGreaterThan(550);
  }, 60_000);

  it('refuses a second process on its folder in one clear sentence', async () => {
    const { db, close } = await open();
    const second = inserter(dataDir, children);
    let complaint = '';
    second.stderr!.on('data', (text: Buffer) => (complaint += text.toString()));
    const [code] = (await once(second, 'exit')) as [number];
    expect(code).toBe(1);
    expect(complaint).toMatch(/is in use by another process\. Stop it, choose another DATA_DIR, or set DATABASE_URL/);
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    await close();
  }, 30_000);
});

function inserter(dataDir: string, children: ChildProcess[]): ChildProcess {
  const child = spawn(process.execPath, [join(__dirname, 'embedded-inserter.cjs'), dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}
