import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { SealedColumn } from './sealed-columns';
import { run, type Statement } from '../connection/statement';

/** The result of re-encrypting one column. */
export interface Resealing {
  readonly table: string;
  readonly column: string;
  readonly seen: number;
  readonly resealed: number;
  /** Values already sealed under the current key. */
  readonly current: number;
  /** Values that changed between read and write, and were read again. */
  readonly overtaken: number;
  /** Values that are damaged or sealed under a key outside the ring; left unchanged. */
  readonly unreadable: number;
}

interface Deps {
  readonly db: DataSource;
  /** Decrypts with every key of the ring, seals with the first. */
  readonly box: SecretCipher;
  /** The prefix of values sealed under the first key. */
  readonly header: Uint8Array;
  /** Called after each page with the progress; resolves to true if the work must stop. */
  readonly onPage?: (soFar: Resealing) => Promise<boolean>;
}

/** A row of `page`: the columns of its seal context, and the value if it is sealed under another key. */
type Row = Readonly<Record<string, unknown>> & { readonly stale_value: Buffer | null };

type Outcome = 'resealed' | 'current' | 'unreadable';

const pageSize = 100;
/** More attempts than any row is written in that time. */
const maxTries = 10;

/**
 * Re-encrypts every value of a column with the first key, in key order, while the service runs. A value is replaced only if it has not
 * changed since it was read, so no other write is lost. It can be stopped and repeated at any time: finished values are skipped without
 * decrypting them.
 */
export async function resealColumn(deps: Deps, of: SealedColumn): Promise<Resealing> {
  const statements = statementsFor(of);
  const counts = { resealed: 0, current: 0, unreadable: 0 };
  let [seen, overtaken] = [0, 0];
  let after: readonly unknown[] | undefined;
  for (;;) {
    const header = Buffer.from(deps.header);
    const page: Row[] = await run(deps.db, after ? statements.nextPage : statements.firstPage, [header, ...(after ?? [])]);
    for (const row of page) {
      const { outcome, tries } = await reseal({ ...deps, of, statements, header }, row);
      counts[outcome] += 1;
      overtaken += tries - 1;
    }
    seen += page.length;
    const last = page.at(-1);
    const soFar = { table: of.table, column: of.column, seen, ...counts, overtaken };
    if (!last || page.length < pageSize || (await deps.onPage?.(soFar))) return soFar;
    after = keyOf(of, last);
  }
}

interface Work extends Deps {
  readonly of: SealedColumn;
  readonly statements: ReturnType<typeof statementsFor>;
  readonly header: Buffer;
}

async function reseal({ db, box, of, statements, header }: Work, first: Row): Promise<{ outcome: Outcome; tries: number }> {
  const key = keyOf(of, first);
  let row: Row | undefined = first;
  for (let tries = 1; ; tries++) {
    // The row was deleted, so nothing is left to seal.
    if (!row?.stale_value) return { outcome: 'current', tries };
    const sealed = sealedAnew(box, row.stale_value, of.contextOf(row as never));
    if (!sealed) return { outcome: 'unreadable', tries };
    const replaced = await run(db, statements.replace, [row.stale_value, sealed, ...key]);
    if (replaced.length > 0) return { outcome: 'resealed', tries };
    if (tries === maxTries) throw new Error(`${of.table}.${of.column}: a value changes faster than it can be sealed`);
    [row] = await run<Row>(db, statements.again, [header, ...key]);
  }
}

function sealedAnew(box: SecretCipher, stale: Buffer, context: string): Buffer | undefined {
  let plain: Uint8Array;
  try {
    plain = box.open(stale, context);
  } catch {
    // The value is kept, because a key outside this ring can still decrypt it.
    return undefined;
  }
  return Buffer.from(box.seal(plain, context));
}

const keyOf = ({ key }: SealedColumn, row: Row): readonly unknown[] => key.map((name) => row[name]);

function statementsFor({ table, column, key, also }: SealedColumn) {
  const statement = (name: string, text: string): Statement => ({ name: `reencrypt.${table}.${column}.${name}`, text });
  const keyIs = (first: number): string => key.map((name, i) => `${name} = $${String(first + i)}`).join(' and ');
  const select = `
    select ${[...key, ...also].join(', ')}, case when substring(${column} from 1 for octet_length($1::bytea)) <> $1::bytea then ${column} end as stale_value
    from ${table} where ${column} is not null`;
  const page = `order by ${key.join(', ')} limit ${String(pageSize)}`;
  const marks = key.map((_, i) => `$${String(2 + i)}`).join(', ');
  return {
    firstPage: statement('first-page', `${select} ${page}`),
    nextPage: statement('next-page', `${select} and (${key.join(', ')}) > (${marks}) ${page}`),
    again: statement('again', `${select} and ${keyIs(2)}`),
    replace: statement('replace', `update ${table} set ${column} = $2 where ${column} = $1 and ${keyIs(3)} returning 1 as replaced`),
  };
}
