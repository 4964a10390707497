import type { DataSource } from 'typeorm';
import { GroupedStatements } from './grouped-statements';
import type { Stamped } from './partner-table';
import { run, type Statement } from './statement';

/** Records of which one statement tells the stamps at most. */
const most = 64;

/** The values of the columns that a record is known by. */
type Key = readonly string[];

/** The stamp of a record as it is stored now; `undefined`: there is no such record. Throws Unavailable. */
export type StampOf = (...key: Key) => Promise<string | undefined>;

/**
 * Asks for stamps, those that are asked for at the same moment by one statement. It is given an array for each column of the key, and
 * answers with the places of the keys, from 1, whose records there are. Records of many partners that were read at once are looked at again
 * at once, too.
 */
export function groupedStamps(db: DataSource, statement: Statement): StampOf {
  const asked = new GroupedStatements<Key, string | undefined>({
    most,
    run: async (keys) => {
      const columns = keys[0]!.map((_, column) => keys.map((key) => key[column]));
      const rows = await run<Stamped & { readonly place: number }>(db, statement, columns);
      const stamps = new Map(rows.map(({ place, stamp }) => [place, stamp]));
      return keys.map((_, n) => stamps.get(n + 1));
    },
  });
  return (...key) => asked.add(key);
}
