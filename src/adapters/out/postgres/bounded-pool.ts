import { Pool, type PoolClient } from 'pg';

/** Statements that may wait for a connection; more would only time out later, with memory held meanwhile. */
const MAX_WAITING = 1000;

/** The pool is overrun: the statement was not sent. */
export class PoolOverrun extends Error {
  constructor() {
    super(`More than ${MAX_WAITING} statements wait for a database connection`);
    this.name = new.target.name;
  }
}

type OnClient = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void;

/** The driver's pool with an end to its queue, for every way to it: statements, repositories, transactions. */
export class BoundedPool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: OnClient): void;
  override connect(callback?: OnClient): Promise<PoolClient> | void {
    const overrun = this.waitingCount < MAX_WAITING ? undefined : new PoolOverrun();
    if (!callback) return overrun ? Promise.reject(overrun) : super.connect();
    if (overrun) process.nextTick(callback, overrun, undefined, () => undefined);
    else super.connect(callback);
  }
}
