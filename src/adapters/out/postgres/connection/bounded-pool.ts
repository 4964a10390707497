import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { ServerAddress } from './server-address';

/** The maximum number of statements that wait for a connection; more would only hold memory and time out. */
const MAX_WAITING = 1000;

/** The queue of the pool is full; the statement was not sent. */
export class PoolOverrun extends Error {
  constructor() {
    super(`More than ${MAX_WAITING} statements wait for a database connection`);
    this.name = new.target.name;
  }
}

/**
 * The wait event of Postgres 15 to 18 while a commit waits for the standby. The wait can be cancelled, and then the commit is reported as
 * done.
 */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

const unconfirmed = new WeakSet<object>();

/** Whether the required standby did not confirm the last commit of this connection. Clears the mark. */
export const takeUnconfirmedCommit = (connection: object): boolean => unconfirmed.delete(connection);

type OnClient = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void;

/** Whether a connect was refused because all connections of the server (53300), or of a pooler before it, are taken. */
export function isServerFull(error: unknown): boolean {
  const { code, message = '' } = error as { readonly code?: string; readonly message?: string };
  return code === '53300' || (code === '08P01' && message.includes('no more connections allowed'));
}

/** How long the pool opens no further connection after the server's limit was reached, in milliseconds. */
const FULL_FOR_MS = 10_000;
/** The pause between two attempts of a pool without any connection, in milliseconds. */
const TRY_AGAIN_MS = 100;
const CONNECT_WITHIN_MS = 2000;

interface BoundedPoolConfig extends PoolConfig {
  /** The server of the pool; absent for the embedded database. */
  readonly address?: ServerAddress;
}

/**
 * The driver's pool with a bounded queue for statements, repositories and transactions. When the server has no connection left for this
 * role, statements wait for an open one. Its connections record commits that no standby has confirmed.
 */
export class BoundedPool extends Pool {
  private readonly address: ServerAddress | undefined;
  private readonly wanted: number;
  private fullUntil = -Infinity;
  /** `totalCount` also counts connections that the server may still refuse. */
  private connected = 0;

  constructor(config?: BoundedPoolConfig) {
    super(config);
    this.address = config?.address;
    this.wanted = this.options.max;
    this.on('remove', () => this.connected--);
    this.on('connect', (connection) => {
      this.connected++;
      connection.on('notice', ({ routine }) => {
        if (routine === STANDBY_WAIT) unconfirmed.add(connection);
      });
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: OnClient): void;
  override connect(callback?: OnClient): Promise<PoolClient> | void {
    const connection = this.waitingCount < MAX_WAITING ? this.inTurn() : Promise.reject(new PoolOverrun());
    if (!callback) return connection;
    connection.then(
      (client) => {
        callback(undefined, client, (release) => {
          client.release(release as Error | undefined);
        });
      },
      (error: unknown) => {
        callback(error as Error, undefined, () => undefined);
      },
    );
  }

  private async inTurn(): Promise<PoolClient> {
    if (this.options.max < this.wanted && performance.now() > this.fullUntil) this.options.max = this.wanted;
    try {
      return await super.connect();
    } catch (error) {
      return await this.again(error);
    }
  }

  /** Tries to connect again while a statement waits for a connection and a retry may help. */
  private async again(first: unknown): Promise<PoolClient> {
    const giveUpAt = performance.now() + (this.options.connectionTimeoutMillis ?? CONNECT_WITHIN_MS);
    let error = first;
    for (let turns = 1; performance.now() < giveUpAt;) {
      if (isServerFull(error)) await this.shrink();
      else if (turns < (this.address?.tries ?? 1) && this.address?.turn(error)) turns++;
      else throw error;
      if (this.address) Object.assign(this.options, { ssl: this.address.config.ssl });
      try {
        return await super.connect();
      } catch (next) {
        error = next;
      }
    }
    throw error;
  }

  /** Limits the pool to the connections that are open. */
  private async shrink(): Promise<void> {
    this.fullUntil = performance.now() + FULL_FOR_MS;
    this.options.max = Math.max(1, this.connected);
    if (this.connected === 0) await pause(TRY_AGAIN_MS);
  }
}
