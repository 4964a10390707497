import type { DataSource } from 'typeorm';
import { resealColumn } from '../adapters/out/postgres/reencrypt';
import { countSeals } from '../adapters/out/postgres/seal-census';
import { sealedColumns } from '../adapters/out/postgres/sealed-columns';
import { keyIdOf, sealHeader } from '../adapters/out/secrets/secret-box';
import type { Settings } from '../config/settings';
import type { SecretBox } from '../domain/credentials/ports';
import type { KeyRing, RewrapProgress, RewrappedColumn, SealsOfKey } from '../domain/operations/rewrap-keys';
import { grouped } from '../domain/shared/grouped';
import { withDatabase } from './with-database';

interface Deps {
  readonly db: DataSource;
  readonly box: SecretBox;
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

  reseal(tell: (progress: RewrapProgress) => Promise<boolean>): Promise<RewrapProgress> {
    return this.aside((db) => this.resealIn(db, tell));
  }

  private async resealIn(db: DataSource, tell: (progress: RewrapProgress) => Promise<boolean>): Promise<RewrapProgress> {
    const [first = ''] = this.ids;
    const header = sealHeader(first);
    const columns: RewrappedColumn[] = [];
    const so = (seen: number): RewrapProgress => ({ columns, of: sealedColumns.length, seen });
    for (const of of sealedColumns) {
      if (await tell(so(0))) return so(0);
      const order = { stopped: false };
      const onPage = async ({ seen }: { seen: number }): Promise<boolean> => (order.stopped = await tell(so(seen)));
      const resealing = await resealColumn({ db, box: this.deps.box, header, tell: onPage }, of);
      if (order.stopped) return so(resealing.seen);
      columns.push(resealing);
    }
    return { ...so(0), others: (await sealsByKey(db)).filter(({ id }) => id !== first) };
  }

  /** On a connection of its own, without limits on time; the embedded database has only the one. */
  private aside<T>(work: (db: DataSource) => Promise<T>): Promise<T> {
    const { settings, db } = this.deps;
    return settings.databaseUrl === undefined ? work(db) : withDatabase(settings, (opened) => work(opened.db));
  }
}

/** Which keys seal how many values, and where. Opens no value, so it needs no key; reads every table that holds sealed values. */
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
  return [...keys].map(([id, places]) => ({ id, places, values: Object.values(places).reduce((sum, count) => sum + count, 0) }));
}
