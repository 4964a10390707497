import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const own = new Set<string>();
process.once('exit', () => own.forEach(removeFolder));

/** A new folder that goes with this process, however that ends but by a kill: what lies in memory would stay there. */
export function ownFolder(within: string, name: string): string {
  const folder = mkdtempSync(join(within, name));
  own.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  own.delete(folder);
}
