import type { DataSource } from 'typeorm';
import type { SealedColumn } from './sealed-columns';
import { run } from './statement';

/** How many values of one column start alike, which is to say: are sealed under one key. */
export interface SealCount {
  readonly table: string;
  readonly column: string;
  /** Format and key id; who sealed them can read it. */
  readonly header: Uint8Array;
  readonly values: number;
}

/** Counts the sealed values of a column by their headers; opens none. Reads the whole table: not for the hot path. */
export async function countSeals(db: DataSource, { table, column }: SealedColumn): Promise<SealCount[]> {
  // The second byte is the length of the key id that follows it.
  const header = `substring(${column} from 1 for case when octet_length(${column}) > 1 then 2 + get_byte(${column}, 1) else 0 end)`;
  const statement = {
    name: `seal-census.${table}.${column}`,
    text: `select ${header} as header, count(*) as values from ${table} where ${column} is not null group by 1 order by 1`,
  };
  const rows = await run<{ header: Buffer; values: string }>(db, statement, []);
  return rows.map((row) => ({ table, column, header: row.header, values: Number(row.values) }));
}
