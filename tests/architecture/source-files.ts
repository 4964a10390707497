import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './planted-tree';

/** A text file of the project; the path is from the top, with slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Made by tools or by running, never published; `.git` is a file in a linked work tree. */
const made = new Set(['node_modules', 'dist', 'data', 'coverage', '.git']);

/** Every file below `folder` (from the top of the project) that is not made by a tool. */
export function filesIn(folder: string): SourceFile[] {
  const files: SourceFile[] = [];
  for (const entry of readdirSync(join(projectRoot, folder), { withFileTypes: true })) {
    if (made.has(entry.name)) continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) files.push(...filesIn(path));
    if (entry.isFile()) files.push({ path, text: readFileSync(join(projectRoot, path), 'utf8') });
  }
  return files;
}
