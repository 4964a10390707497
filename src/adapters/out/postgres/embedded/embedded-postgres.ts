import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { DatabaseWorker } from './database-worker';
import { lockFolder, type FolderLock } from './folder-lock';
import { oneSession } from './one-session';
import { snapshotFileIn } from './snapshot';

export interface EmbeddedPostgresOptions {
  /** Owned by the database alone; made when absent, closed to other users (0700). */
  readonly folder: string;
  /** Where the build has put the worker and the snapshot: beside this file, unless it runs from its source. */
  readonly builtFolder?: string;
  /** Hears, once, that the database stopped without being asked. Nothing works after that: end the process. */
  readonly onFatal?: (error: Error) => void;
}

/** A Postgres inside this process: single session, safe against a kill of the process, not against a loss of power. */
export interface EmbeddedPostgres {
  /** Where a database found there comes from: an earlier start, the snapshot of the build, or set up from nothing. */
  readonly origin: 'kept' | 'snapshot' | 'initdb';
  /** A connection for the `pg` driver, which must hold one at a time: `max: 1`. */
  readonly stream: () => Duplex;
  /** Close the pool first, then this. */
  close(): Promise<void>;
}

/**
 * Starts the embedded database of a folder.
 * @throws FolderInUse when another process has it, EmbeddedDatabaseStopped when it does not come up.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const folder = realpathSync(options.folder);
  chmodSync(folder, 0o700);
  const lock = await lockFolder(folder);
  try {
    return await startLocked(folder, lock, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startLocked(folder: string, lock: FolderLock, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { builtFolder = __dirname, onFatal = () => undefined } = options;
  const dataFolder = join(folder, 'pg');
  const unfinished = join(folder, 'setting-up');
  // A first start that was killed half-way has acknowledged nothing: it begins again.
  if (existsSync(unfinished)) rmSync(dataFolder, { recursive: true, force: true });
  const kept = existsSync(dataFolder);
  if (!kept) writeFileSync(unfinished, '');
  const snapshot = snapshotFileIn(builtFolder);
  const origin = kept ? 'kept' : existsSync(snapshot) ? 'snapshot' : 'initdb';
  const start = { dataFolder, ...(origin === 'snapshot' ? { snapshotFile: snapshot } : {}) };
  const worker = await DatabaseWorker.start(join(builtFolder, 'pglite-worker.js'), start, onFatal);
  rmSync(unfinished, { force: true });
  return {
    origin,
    stream: oneSession((messages) => worker.exchange(messages)),
    close: async () => {
      await worker.close();
      await lock.release();
    },
  };
}
