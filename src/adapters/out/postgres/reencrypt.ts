import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { SealedColumn } from './sealed-columns';
import { run, type Statement } from './statement';

/** What became of the values of one column. */
export interface Resealing {
  readonly table: string;
  readonly column: string;
  readonly seen: number;
  readonly resealed: number;
  /** Sealed under the key already. */
  readonly current: number;
  /** Written by others between reading and writing, and looked at again. */
  readonly overtaken: number;
  /** Sealed under a key that is not in the ring, or damaged; left as they are. */
  readonly unreadable: number;
}

interface Deps {
  readonly db: DataSource;
  /** Opens under every key of the ring, seals under its first. */
  readonly box: SecretBox;
  /** What values sealed under the first key start with. */
  readonly header: Uint8Array;
  /** Hears after each page how far it is; resolves to true where it is to stop. */
  readonly tell?: (soFar: Resealing) => Promise<boolean>;
}

/** A row of `page`: what its place is made of, and the value where it is sealed under another key. */
type Row = Readonly<Record<string, unknown>> & { readonly stale_value: Buffer | null };

type Outcome = 'resealed' | 'current' | 'unreadable';

const pageSize = 100;
/** Nobody writes one row that often in so short a time. */
const triesAtMost = 10;

/**
 * Seals every value of a column anew under the first key, in the order of its key, while others serve: a value is replaced
 * only where it is still the one that was opened, so nothing that others write is lost. To be broken off and repeated at any
 * time: finished values are skipped without being opened.
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
    if (!last || page.length < pageSize || (await deps.tell?.(soFar))) return soFar;
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
    // A row that is gone has nothing left to be sealed.
    if (!row?.stale_value) return { outcome: 'current', tries };
    const sealed = sealedAnew(box, row.stale_value, of.place(row as never));
    if (!sealed) return { outcome: 'unreadable', tries };
    const replaced = await run(db, statements.replace, [row.stale_value, sealed, ...key]);
    if (replaced.length > 0) return { outcome: 'resealed', tries };
    if (tries === triesAtMost) throw new Error(`${of.table}.${of.column}: a value changes faster than it can be sealed`);
    [row] = await run<Row>(db, statements.again, [header, ...key]);
  }
}

function sealedAnew(box: SecretBox, stale: Buffer, place: string): Buffer | undefined {
  let plain: Uint8Array;
  try {
    plain = box.open(stale, place);
  } catch {
    // Whoever holds the missing key can still open it: counted and left.
    return undefined;
  }
  return Buffer.from(box.seal(plain, place));
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
