import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { DatabaseWorker } from './database-worker';
import { lockFolder, type FolderLock } from './folder-lock';
import { oneSession } from './one-session';
import { snapshotFileIn } from './snapshot';

export interface EmbeddedPostgresOptions {
  /** The folder of the database alone. Created when absent, with access for its owner only (0700). */
  readonly folder: string;
  /** The folder of the built worker and snapshot. Defaults to the folder of this file; needed when it runs from source. */
  readonly builtFolder?: string;
  /** Called once if the database stops unexpectedly. It cannot be used afterwards, so the process must end. */
  readonly onFatal?: (error: Error) => void;
}

/** A Postgres inside this process with a single session. Its data survives a kill of the process, but perhaps not a loss of power. */
export interface EmbeddedPostgres {
  /** The origin of the database: an earlier start, the snapshot of the build, or a new setup. */
  readonly origin: 'kept' | 'snapshot' | 'initdb';
  /** A connection for the `pg` driver, whose pool must have `max: 1`. */
  readonly stream: () => Duplex;
  /** Closes the database. The pool must be closed first. */
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
  // A first start that was killed has acknowledged no data, so it begins again.
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
