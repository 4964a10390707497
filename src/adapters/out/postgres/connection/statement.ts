import { Query, type Pool, type PoolClient, type QueryResult, type QueryResultRow } from 'pg';
import { QueryFailedError, type DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { takeUnconfirmedCommit } from './bounded-pool';
import { asDomainError, isAway, isConnectionLost, unavailable } from './postgres-errors';

/**
 * A statement that is prepared once per connection under its name, so one name must have one text. It lists its columns: after a migration,
 * a prepared `select *` no longer fits its table. A statement with an empty name is planned again for the values of each call.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The driver's own pool under a connected data source; TypeORM keeps it as `master`. */
const poolOf = (db: DataSource): Pool => (db.driver as unknown as { master: Pool }).master;

/**
 * Runs a named statement outside a transaction; resolves to its rows.
 * @throws Unavailable when the database is unavailable or overloaded; otherwise the driver's error.
 */
export async function run<Row extends QueryResultRow>(db: DataSource, statement: Statement, values: readonly unknown[]): Promise<Row[]> {
  try {
    return (await onPool<Row>(poolOf(db), statement, values)).rows;
  } catch (error) {
    throw asDomainError(error);
  }
}

/**
 * Runs a named statement inside the transaction of `manager`; resolves to its rows.
 * @throws Unavailable when the database is unavailable or overloaded; otherwise the driver's error.
 */
export async function runIn<Row extends QueryResultRow>(
  manager: EntityManager,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const runner = manager.queryRunner;
  if (!runner?.isTransactionActive || runner.isReleased) throw new Error(`Statement ${statement.name} came outside its transaction`);
  const client = (await runner.connect()) as PoolClient;
  try {
    return (await executed<Row>(client, statement, [...values])).rows;
  } catch (error) {
    throw asDomainError(error);
  }
}

/**
 * Runs `work` on one connection without a transaction: each statement commits by itself.
 * @throws Unavailable when the database is unavailable or overloaded; otherwise the driver's error.
 */
export async function onConnection<T>(db: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  const runner = db.createQueryRunner();
  let connection: PoolClient | undefined;
  try {
    connection = (await runner.connect()) as PoolClient;
    const result = await work(runner.manager);
    requireConfirmed(connection);
    return result;
  } catch (error) {
    // TypeORM releases the runner when its connection breaks, so a released runner here means a lost connection.
    if (runner.isReleased) throw unavailable('database-away', error);
    const failure = asDomainError(ofDriver(error));
    // If the server does not answer, a rollback would wait just as long again.
    if (connection && isAway(failure)) breakOff(connection);
    else if (connection) await rollBack(runner, connection);
    throw failure;
  } finally {
    await runner.release();
  }
}

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. Inside, only `manager` may be used.
 * @throws Unavailable when the database is unavailable or overloaded; if that happens during the commit, its outcome is unknown.
 */
export function transaction<T>(db: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  return onConnection(db, async (manager) => {
    const { queryRunner: runner } = manager;
    if (!runner) throw new Error('A manager of one connection has a query runner');
    await runner.startTransaction();
    const result = await work(manager);
    await runner.commitTransaction();
    return result;
  });
}

/** TypeORM's error holds the statement and its values, which no log must see; the driver's error does not. */
const ofDriver = (error: unknown): unknown => (error instanceof QueryFailedError ? error.driverError : error);

/**
 * Runs several statements without parameters in one round trip and one transaction.
 * @throws Unavailable when the database is unavailable or overloaded; otherwise the driver's error.
 */
export async function runTogether(db: DataSource, statements: string): Promise<void> {
  try {
    await withClient(poolOf(db), (client) => client.query(statements));
  } catch (error) {
    throw asDomainError(error);
  }
}

const onPool = <Row extends QueryResultRow>(pool: Pool, statement: Statement, values: readonly unknown[]): Promise<QueryResult<Row>> =>
  withClient(pool, (client) => executed<Row>(client, statement, values as unknown[]));

/** Unlike `pool.query`, keeps the connection, and its prepared statements, after a refusal such as a duplicate key. */
async function withClient<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let lost: Error | undefined;
  const onLost = (error: Error): void => void (lost = error);
  client.on('error', onLost);
  try {
    const result = await work(client);
    requireConfirmed(client);
    return result;
  } catch (error) {
    if (isConnectionLost(error)) lost ??= error as Error;
    throw error;
  } finally {
    client.removeListener('error', onLost);
    client.release(lost);
  }
}

/**
 * Like the client's `query` with the same three members, but without copying their descriptors for every statement. The stack of an error
 * shows the caller of the statement instead of the socket.
 */
function executed<Row extends QueryResultRow>(client: PoolClient, { name, text }: Statement, values: unknown[]): Promise<QueryResult<Row>> {
  return new Promise<QueryResult<Row>>((resolve, reject) => {
    const query = new Query<Row>(text, values, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
    client.query(Object.assign(query, { name }));
  }).catch((error: unknown) => {
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  });
}

/** Closes a connection whose transaction may still be open, because the next user must not inherit it. */
async function rollBack(runner: QueryRunner, connection: PoolClient): Promise<void> {
  if (!runner.isTransactionActive) return;
  try {
    await runner.rollbackTransaction();
  } catch {
    if (!runner.isReleased) breakOff(connection);
  }
}

/** Ends the connection without waiting for the server. */
function breakOff(connection: PoolClient): void {
  (connection as PoolClient & { end(): Promise<void> }).end().catch(() => undefined);
}

/** A commit that the required standby has not confirmed has an unknown outcome. */
function requireConfirmed(connection: PoolClient): void {
  if (takeUnconfirmedCommit(connection)) throw unavailable('database-busy', new Error('The standby has not confirmed the commit'));
}
