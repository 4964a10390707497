import type { DataSource } from 'typeorm';
import { resealColumn } from '../../adapters/out/postgres/sealing/reencrypt';
import { countSeals } from '../../adapters/out/postgres/sealing/seal-census';
import { sealedColumns } from '../../adapters/out/postgres/sealing/sealed-columns';
import { keyIdOf, sealHeader } from '../../adapters/out/secrets/secret-cipher';
import type { Settings } from '../../config/settings';
import type { SecretCipher } from '../../domain/credentials/ports';
import type { KeyRing, RewrapProgress, RewrappedColumn, SealsOfKey } from '../../domain/operations/rewrap-keys';
import { grouped } from '../../domain/shared/grouped';
import { withDatabase } from './with-database';

interface Deps {
  readonly db: DataSource;
  readonly box: SecretCipher;
  readonly settings: Settings;
  readonly ids: readonly string[];
}

/** The encryption keys of this process and the values sealed under them, for the operator while it serves. */
export class OwnKeyRing implements KeyRing {
  readonly ids: readonly string[];

  constructor(private readonly deps: Deps) {
    this.ids = deps.ids;
  }

  census(): Promise<readonly SealsOfKey[]> {
    return this.aside(sealsByKey);
  }

  reseal(report: (progress: RewrapProgress) => Promise<boolean>): Promise<RewrapProgress> {
    return this.aside((db) => this.resealIn(db, report));
  }

  private async resealIn(db: DataSource, report: (progress: RewrapProgress) => Promise<boolean>): Promise<RewrapProgress> {
    const [first = ''] = this.ids;
    const header = sealHeader(first);
    const columns: RewrappedColumn[] = [];
    const so = (seen: number): RewrapProgress => ({ columns, of: sealedColumns.length, seen });
    for (const of of sealedColumns) {
      if (await report(so(0))) return so(0);
      const order = { stopped: false };
      const onPage = async ({ seen }: { seen: number }): Promise<boolean> => (order.stopped = await report(so(seen)));
      const resealing = await resealColumn({ db, box: this.deps.box, header, onPage: onPage }, of);
      if (order.stopped) return so(resealing.seen);
      columns.push(resealing);
    }
    return { ...so(0), others: (await sealsByKey(db)).filter(({ id }) => id !== first) };
  }

  /** Runs the work on a separate connection without time limits. The embedded database has only one connection. */
  private aside<T>(work: (db: DataSource) => Promise<T>): Promise<T> {
    const { settings, db } = this.deps;
    return settings.databaseUrl === undefined ? work(db) : withDatabase(settings, (opened) => work(opened.db));
  }
}

/** Counts the sealed values by key and column. Decrypts nothing, so it needs no key; scans every table with sealed values. */
export async function sealsByKey(db: DataSource): Promise<readonly SealsOfKey[]> {
  const keys = new Map<string, Record<string, number>>();
  for (const [table, columns] of grouped(sealedColumns, (of) => of.table)) {
    for (const { column, header, values } of await countSeals(
      db,
      table,
      columns.map((of) => of.column),
    )) {
      const id = keyIdOf(header) ?? 'unknown';
      keys.set(id, { ...keys.get(id), [`${table}.${column}`]: values });
    }
  }
  return [...keys].map(([id, byColumn]) => ({ id, byColumn, values: Object.values(byColumn).reduce((sum, count) => sum + count, 0) }));
}
