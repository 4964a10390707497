import type { DataSource } from 'typeorm';
import type { SealedColumn } from './sealed-columns';
import { run } from './statement';

/** A sealed value, and where it lies. */
export interface SealedSample {
  readonly sealed: Buffer;
  readonly place: string;
}

/** One value of a column that starts with this header, which is to say: is sealed under that key. Reads the table: not for the hot path. */
export async function sealedSample(db: DataSource, of: SealedColumn, header: Uint8Array): Promise<SealedSample | undefined> {
  const { table, column, key, also } = of;
  const text = `
    select ${[...new Set([...key, ...also])].join(', ')}, ${column} as sealed_value from ${table}
    where substring(${column} from 1 for octet_length($1::bytea)) = $1::bytea limit 1`;
  const [row] = await run<{ sealed_value: Buffer }>(db, { name: `sealed-sample.${table}.${column}`, text }, [header]);
  return row && { sealed: row.sealed_value, place: of.place(row as never) };
}
