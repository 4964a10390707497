import type { DataSource } from 'typeorm';
import { columnParameters } from '../array-parameters';
import { GroupedStatements } from '../grouped-statements';
import type { Stamped } from './directory-statements';
import { run, type Statement } from '../statement';

/** Stamps that one statement reads at most, where callers wait for it. */
const most = 64;

/** The values of the columns that a record is known by. */
type Key = readonly string[];

/** The stamps of records as they are stored now, in the order of the keys; `undefined`: there is no such record. Throws Unavailable. */
export type StampsOf = (keys: readonly Key[]) => Promise<readonly (string | undefined)[]>;

/** Asks for stamps. The statement is given an array for each column of the key, and answers with the places of the keys, from 1, whose records there are. */
export function stampsBy(db: DataSource, statement: Statement): StampsOf {
  return async (keys) => {
    if (!keys[0]) return [];
    const types = keys[0].map(() => 'text' as const);
    const rows = await run<Stamped & { readonly place: number }>(db, statement, columnParameters(types, keys));
    const stamps = new Array<string | undefined>(keys.length).fill(undefined);
    for (const { place, stamp } of rows) stamps[place - 1] = stamp;
    return stamps;
  };
}

/** Asks for those that are asked for at the same moment by one statement. */
export function groupedStamps(stampsOf: StampsOf): (...key: Key) => Promise<string | undefined> {
  const asked = new GroupedStatements<Key, string | undefined>({ most, run: stampsOf });
  return (...key) => asked.add(key);
}
