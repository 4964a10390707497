import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

/** A statement of the hot path: prepared once per connection under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The driver's own pool under a connected data source. */
const poolOf = (db: DataSource): Pool => (db.driver as unknown as { master: Pool }).master;

/** Runs a named statement outside a transaction; resolves to its rows. */
export async function run<Row extends QueryResultRow>(db: DataSource, statement: Statement, values: readonly unknown[]): Promise<Row[]> {
  const result = await poolOf(db).query<Row>({ ...statement, values: [...values] });
  return result.rows;
}

/** Runs a named statement inside the transaction of `manager`; resolves to its rows. */
export async function runIn<Row extends QueryResultRow>(
  manager: EntityManager,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = (await manager.queryRunner!.connect()) as PoolClient;
  const result = await client.query<Row>({ ...statement, values: [...values] });
  return result.rows;
}
