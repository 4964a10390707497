import type { DataSource } from 'typeorm';
import { grouped } from '../../../../domain/shared/grouped';
import { run } from '../connection/statement';

/** The number of values in one column with the same header, which means: sealed under the same key. */
export interface SealCount {
  readonly table: string;
  readonly column: string;
  /** Format and key id of the seal. */
  readonly header: Uint8Array;
  readonly values: number;
}

/** Counts the sealed values of one table's columns by header, without decrypting them. Scans the whole table, so do not use it in calls. */
export async function countSeals(db: DataSource, table: string, columns: readonly string[]): Promise<SealCount[]> {
  const ordinals = columns.map((_, i) => String(i + 1)).join(', ');
  const text = `select ${columns.map((column, i) => `${headerOf(column)} as h${String(i)}`).join(', ')}, count(*) as values from ${table} group by ${ordinals}`;
  const rows = await run<Record<string, Buffer | string | null>>(
    db,
    { name: `seal-census.${table}.${columns.map((column) => column.slice(0, 8)).join('.')}`, text },
    [],
  );
  return columns.flatMap((column, i) => {
    const sealed = rows.flatMap((row) => {
      const header = row[`h${String(i)}`];
      return Buffer.isBuffer(header) ? [{ header, values: Number(row['values']) }] : [];
    });
    return [...grouped(sealed, ({ header }) => header.toString('hex')).values()].map((own) => {
      return { table, column, header: own[0]!.header, values: own.reduce((all, { values }) => all + values, 0) };
    });
  });
}

/** The SQL for a value's header. The second byte is the length of the key id that follows it. Null for null. */
const headerOf = (column: string): string =>
  `substring(${column} from 1 for case when octet_length(${column}) > 1 then 2 + get_byte(${column}, 1) else 0 end)`;
