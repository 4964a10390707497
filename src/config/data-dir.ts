import { accessSync, constants, mkdirSync } from 'node:fs';

/** DATA_DIR cannot be used; the message contains the reason and the remedy. */
export class DataDirUnusable extends Error {
  constructor(folder: string, reason: string) {
    super(`DATA_DIR is ${folder}, ${reason}: name a folder that the user of this process may write`);
    this.name = new.target.name;
  }
}

/** Creates a missing folder, accessible to its owner alone. @throws DataDirUnusable */
export function requireDataDir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw dataDirError(folder, error);
  }
}

/** Converts a failed access to the folder, or to a file in it. */
export function dataDirError(folder: string, error: unknown): DataDirUnusable {
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST' || code === 'ENOTDIR') return new DataDirUnusable(folder, 'which is a file or lies in one');
  if (code === 'ENOSPC') return new DataDirUnusable(folder, `where the disk is full (${code})`);
  const where = path === undefined || path === folder ? 'which' : `whose ${path}`;
  return new DataDirUnusable(folder, `${where} cannot be read and written (${code || String(error)})`);
}
