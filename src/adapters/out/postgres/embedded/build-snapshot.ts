import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { snapshotFileIn } from './snapshot';

/** Builds the snapshot that a first start loads, once per version. Setting up a new database would take 4–8 s and 800 MB. */
async function buildSnapshot(file: string): Promise<void> {
  if (existsSync(file)) return;
  const { PGlite } = await import('@electric-sql/pglite');
  const db = await PGlite.create();
  const dump = await db.dumpDataDir('gzip');
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, Buffer.from(await dump.arrayBuffer()));
  renameSync(unfinished, file);
  await db.close();
}

void buildSnapshot(snapshotFileIn(__dirname));
