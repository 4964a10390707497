import type { DataSource } from 'typeorm';
import type { SealedColumn } from './sealed-columns';
import { run } from '../connection/statement';

/** A sealed value and its seal context. */
export interface SealedSample {
  readonly sealed: Buffer;
  readonly context: string;
}

/** One value of a column with this header, which means: sealed under that key. Scans the table, so do not use it in calls. */
export async function sealedSample(db: DataSource, of: SealedColumn, header: Uint8Array): Promise<SealedSample | undefined> {
  const { table, column, key, also } = of;
  const text = `
    select ${[...new Set([...key, ...also])].join(', ')}, ${column} as sealed_value from ${table}
    where substring(${column} from 1 for octet_length($1::bytea)) = $1::bytea limit 1`;
  const [row] = await run<{ sealed_value: Buffer }>(db, { name: `sealed-sample.${table}.${column}`, text }, [header]);
  return row && { sealed: row.sealed_value, context: of.contextOf(row as never) };
}
