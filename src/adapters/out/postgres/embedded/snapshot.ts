import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The snapshot file of an unused database, in the build folder. Only the version that wrote it can read it, so its name contains the
 * version.
 */
export function snapshotFileIn(folder: string): string {
  const manifest = join(dirname(require.resolve('@electric-sql/pglite')), '..', 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return join(folder, `pglite-${version}.tar.gz`);
}
