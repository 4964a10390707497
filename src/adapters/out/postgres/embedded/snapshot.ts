import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The file of a database that has never been used, in the folder that the build puts it. Only the version that wrote it can read
 * it, so the version is in its name.
 */
export function snapshotFileIn(folder: string): string {
  const manifest = join(dirname(require.resolve('@electric-sql/pglite')), '..', 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return join(folder, `pglite-${version}.tar.gz`);
}
