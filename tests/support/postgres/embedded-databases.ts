import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/adapters/out/postgres/embedded/embedded-postgres';
import { testRun } from '../test-run';

/** What the build has made of the embedded database: its worker is plain JavaScript, which jest does not transform. */
export const builtEmbedded = resolve(__dirname, '../../../dist/src/adapters/out/postgres/embedded');

/** A running embedded database. */
export interface KeptDatabase {
  readonly embedded: EmbeddedPostgres;
  readonly folder: string;
  readonly thread: Worker;
  /** Its schema when it was new. */
  schema?: string;
}

/**
 * The embedded databases of this process. A test file borrows one and gives it back empty: to start one takes several seconds of processor
 * time, as its WebAssembly is compiled anew.
 */
export class EmbeddedDatabases {
  private readonly idle: KeptDatabase[] = [];

  /** Lends a database to one test file. `fill` puts the files of a migrated database into the folder of a new one. */
  async borrow(fill: (folder: string) => Promise<void>): Promise<KeptDatabase> {
    const kept = this.idle.pop() ?? (await started(fill));
    kept.thread.ref();
    return kept;
  }

  /** Takes back a database that is empty and has the schema that it began with. It does not keep the process from ending. */
  giveBack(kept: KeptDatabase): void {
    kept.thread.unref();
    this.idle.push(kept);
  }

  /** Ends a borrowed database that cannot be used again. */
  async end({ embedded, folder }: KeptDatabase): Promise<void> {
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function started(fill: (folder: string) => Promise<void>): Promise<KeptDatabase> {
  await mkdir(testRun.embeddedDatabases(), { recursive: true });
  const folder = await mkdtemp(join(testRun.embeddedDatabases(), 'database-'));
  await fill(folder);
  let thread: Worker | undefined;
  const note = (worker: Worker): void => void (thread ??= worker);
  process.on('worker', note);
  try {
    const embedded = await startEmbeddedPostgres({ folder, builtFolder: builtEmbedded });
    if (!thread) throw new Error('The embedded database runs in no thread');
    return { embedded, folder, thread };
  } finally {
    process.off('worker', note);
  }
}
