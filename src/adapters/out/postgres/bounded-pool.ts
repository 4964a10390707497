import { Pool, type PoolClient, type PoolConfig } from 'pg';

/** Statements that may wait for a connection; more would only time out later, with memory held meanwhile. */
const MAX_WAITING = 1000;

/** The pool is overrun: the statement was not sent. */
export class PoolOverrun extends Error {
  constructor() {
    super(`More than ${MAX_WAITING} statements wait for a database connection`);
    this.name = new.target.name;
  }
}

/** Where Postgres 15 to 18 wait for the standby in a commit; the wait can be cancelled, and then the commit is reported as done. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

const unconfirmed = new WeakSet<object>();

/** Whether the last commit of this connection was not confirmed by the standby that it had to wait for. Says so once. */
export const takeUnconfirmedCommit = (connection: object): boolean => unconfirmed.delete(connection);

type OnClient = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void;

/**
 * The driver's pool with an end to its queue, for every way to it: statements, repositories, transactions. Its connections
 * note commits that no standby has confirmed.
 */
export class BoundedPool extends Pool {
  constructor(config?: PoolConfig) {
    super(config);
    this.on('connect', (connection) => {
      connection.on('notice', ({ routine }) => {
        if (routine === STANDBY_WAIT) unconfirmed.add(connection);
      });
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: OnClient): void;
  override connect(callback?: OnClient): Promise<PoolClient> | void {
    const overrun = this.waitingCount < MAX_WAITING ? undefined : new PoolOverrun();
    if (!callback) return overrun ? Promise.reject(overrun) : super.connect();
    if (overrun) process.nextTick(callback, overrun, undefined, () => undefined);
    else super.connect(callback);
  }
}
