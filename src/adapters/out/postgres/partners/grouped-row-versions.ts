import type { DataSource } from 'typeorm';
import { columnParameters } from '../connection/array-parameters';
import { GroupedStatements } from '../connection/grouped-statements';
import type { Versioned } from './directory-statements';
import { run, type Statement } from '../connection/statement';

/** The maximum number of row versions that one statement reads. */
const maxGroupSize = 64;

/** The values of a record's key columns. */
type Key = readonly string[];

/** Reads the current row versions in the order of the keys; `undefined` for a record that does not exist. Throws Unavailable. */
export type ReadRowVersions = (keys: readonly Key[]) => Promise<readonly (string | undefined)[]>;

/**
 * Creates a reader from `statement`. Its parameters are one array per key column; its rows have the ordinal of a key, from 1, and its
 * version.
 */
export function rowVersionReader(db: DataSource, statement: Statement): ReadRowVersions {
  return async (keys) => {
    if (!keys[0]) return [];
    const types = keys[0].map(() => 'text' as const);
    const rows = await run<Versioned & { readonly ordinal: number }>(db, statement, columnParameters(types, keys));
    const rowVersions = new Array<string | undefined>(keys.length).fill(undefined);
    for (const { ordinal, row_version: rowVersion } of rows) rowVersions[ordinal - 1] = rowVersion;
    return rowVersions;
  };
}

/** Batches row version lookups of one tick into one query. */
export function groupedRowVersions(readRowVersions: ReadRowVersions): (...key: Key) => Promise<string | undefined> {
  const lookups = new GroupedStatements<Key, string | undefined>({ maxGroupSize, run: readRowVersions });
  return (...key) => lookups.add(key);
}
