import { execFileSync } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOBODY } from '../../support/postgres/postgres-server';

/** A disk of its own size in memory: a mounted tmpfs, so only root has one. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** `undefined`: this process may not mount. */
  static mount(megabytes: number): SmallDisk | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'pierhead-small-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${String(megabytes)}m`, 'tmpfs', folder], { stdio: 'ignore' });
    } catch {
      rmSync(folder, { recursive: true, force: true });
      return undefined;
    }
    chownSync(folder, NOBODY, NOBODY);
    return new SmallDisk(folder);
  }

  /** Leaves no byte. */
  fill(): void {
    const file = openSync(this.ballast, 'w');
    try {
      for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 4)) this.writeAll(file, Buffer.alloc(size));
    } finally {
      closeSync(file);
    }
  }

  empty(): void {
    rmSync(this.ballast, { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get ballast(): string {
    return join(this.folder, 'ballast');
  }

  private writeAll(file: number, piece: Buffer): void {
    try {
      while (writeSync(file, piece) === piece.length);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}
