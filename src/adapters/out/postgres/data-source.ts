import type { Duplex } from 'node:stream';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { migrations } from '../../../../migrations/all';
import { BoundedPool } from './bounded-pool';
import { schemas } from './schemas';
import { requireWritable } from './writable-server';

/** Which database: a Postgres by URL, or the embedded one by its in-process stream. */
export type DatabaseTarget =
  | {
      readonly kind: 'postgres';
      readonly url: string;
      /** Connections at most; 10. */
      readonly poolSize?: number;
      /** `none`: no statement is cut off, for migrations; `serving` (default): none may run longer than five seconds. */
      readonly limits?: 'serving' | 'none';
      /** How long a statement waits for a connection, in milliseconds; 2000. */
      readonly connectWithinMs?: number;
    }
  | {
      readonly kind: 'embedded';
      readonly stream: () => Duplex;
      /** How long a statement waits for its turn, in milliseconds; 5000. */
      readonly connectWithinMs?: number;
    };

/** Hears of connections that broke while nobody used them; the pool has replaced them already. */
export type OnConnectionLost = (error: Error) => void;

const CONNECT_WITHIN_MS = 2000;
const TURN_WITHIN_MS = 5000;
const STATEMENT_WITHIN_MS = 5000;

/** Days and zoneless times stay text: as `Date` they would shift with the time zone of the process. */
const textTypes: readonly number[] = [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMP];
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    textTypes.includes(oid) ? (text: string) => text : (pg.types.getTypeParser as (oid: number, format?: string) => unknown)(oid, format),
};

const servingLimits = {
  statement_timeout: STATEMENT_WITHIN_MS,
  idle_in_transaction_session_timeout: 10_000,
  // Ours, for a server that has vanished without a word; later than the server's own, which names the reason.
  query_timeout: STATEMENT_WITHIN_MS + 1000,
};

/** How connections to a server are kept, which of them are. */
const kept = { idleTimeoutMillis: 30_000, keepAlive: true, verify: requireWritable };

/**
 * The data source of the service and of the command line. Not yet connected. `bigint` and `numeric` arrive as strings,
 * `timestamptz` as `Date`. A condition on a value that is missing throws instead of matching every row.
 */
export function createDataSource(target: DatabaseTarget, onConnectionLost: OnConnectionLost = () => undefined): DataSource {
  const common = {
    type: 'postgres',
    driver: { ...pg, Pool: BoundedPool },
    entities: schemas,
    migrations,
    synchronize: false,
    logging: false,
    installExtensions: false,
    applicationName: 'pierhead',
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    poolErrorHandler: onConnectionLost,
  } as const satisfies DataSourceOptions;
  if (target.kind === 'embedded') {
    // One connection that stays, as the embedded database has one session: transactions queue instead of mixing.
    return new DataSource({
      ...common,
      username: 'postgres',
      database: 'postgres',
      extra: {
        max: 1,
        stream: target.stream,
        connectionTimeoutMillis: target.connectWithinMs ?? TURN_WITHIN_MS,
        idleTimeoutMillis: 0,
        types,
      },
    });
  }
  return new DataSource({
    ...common,
    url: target.url,
    poolSize: target.poolSize ?? 10,
    extra: {
      ...(target.limits === 'none' ? {} : servingLimits),
      ...kept,
      connectionTimeoutMillis: target.connectWithinMs ?? CONNECT_WITHIN_MS,
      types,
    },
  });
}
