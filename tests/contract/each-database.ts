import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/adapters/out/postgres/connection/data-source';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../support/postgres/database';

/** Runs a suite over each database that this run has: opened once, wiped by the suite's own harness. */
export function onEachDatabase(suite: (name: string, database: () => TestDatabase) => void): void {
  for (const kind of databaseKinds) {
    describe(kind, () => {
      let database: TestDatabase | undefined;
      beforeAll(async () => {
        database = await openTestDatabase(kind);
      }, 30_000);
      afterAll(async () => {
        await database?.close();
      });
      suite(kind, () => {
        if (!database) throw new Error('The database is not open yet');
        return database;
      });
    });
  }
}

/** The data source of another instance on the same database. The embedded database has one session: there it is the same one. */
export function onSecondSource(name: string, database: () => TestDatabase): () => DataSource {
  let second: DataSource | undefined;
  beforeAll(async () => {
    if (name === 'postgres') second = await createDataSource(database().target).initialize();
  });
  afterAll(() => second?.destroy());
  return () => second ?? database().db;
}

/** Ids as JavaScript may hand them over: missing, of another type, empty. */
export const notIds: readonly [string, unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['a number', 1],
  ['an array', ['x']],
  ['an object', { x: 1 }],
  ['empty text', ''],
];
