import { performance } from 'node:perf_hooks';
import type { BenchDatabase } from '../bench-database';
import { printLine } from '../round';
import { gridSize } from './spread';

const rowsAtOnce = 250_000;
/** Everything lies within the retention time. */
const days = 25;

/** An id of the row `n` as the service makes them: 32 hexadecimal digits that rise with the time. */
export const idOfRow = (n: number): string => `019${n.toString(16).padStart(29, '0')}`;
/** The same as an expression over `n`. */
export const rowId = `('019' || lpad(to_hex(n), 29, '0'))`;

/** When the row `n` of `count` was made, as an expression: evenly over the last days, the last one now. */
export const madeAt = (count: number): string => `(now() - (${count} - n) * interval '${days} days' / ${count})`;

/** A number below a thousand for each row, as an expression: it has nothing to do with whose row that is. */
export const perMille = '(hashint8(n) & 1048575) % 1000';

/** One of the words by the number of the row: each as often as its share of a thousand says, the first one for the rest. */
export function wordOfRow(shares: Readonly<Record<string, number>>): string {
  const [usual, ...rare] = Object.entries(shares);
  let from = 0;
  const cases = rare.map(([word, share]) => `when ${perMille} < ${(from += share)} then '${word}'`);
  return `case ${cases.join(' ')} else '${usual?.[0] ?? ''}' end`;
}

export interface RowsOf {
  readonly table: string;
  readonly count: number;
  /** An expression for each column, over the number of the row `n`, from 1 on, and its pair `s`. */
  readonly columns: Readonly<Record<string, string>>;
}

export async function insertRows(database: BenchDatabase, { table, count, columns }: RowsOf): Promise<void> {
  const startedAt = performance.now();
  for (let from = 1; from <= count; from += rowsAtOnce) {
    await database.query(
      `insert into ${table} (${Object.keys(columns).join(', ')})
       select ${Object.values(columns).join(', ')}
       from generate_series($1::bigint, $2::bigint) n join spread s on s.slot = n % ${gridSize} order by n`,
      [from, Math.min(count, from + rowsAtOnce - 1)],
    );
  }
  printLine(`filled ${table}: ${count} rows in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
