import type { Duplex } from 'node:stream';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { migrations } from '../../../../../migrations/all';
import { BoundedPool } from './bounded-pool';
import { prepareSession } from './prepare-session';
import { STATEMENT_WITHIN_MS, type SessionLimits } from './session-settings';
import { ServerAddress } from './server-address';
import { UnnamedStatements } from './shared-sessions';
import { schemas } from './schemas';

/** Which database to use: Postgres by URL, or the embedded one by its in-process stream. */
export type DatabaseTarget =
  | {
      readonly kind: 'postgres';
      readonly url: string;
      /**
       * The address of the database itself when `url` is a pooler in transaction mode. Absent: `url` gives sessions that are not shared.
       */
      readonly directUrl?: string | undefined;
      /** The maximum number of connections; 10 by default. */
      readonly poolSize?: number;
      /** `serving` (default): no statement may run longer than five seconds. `none`: no limit, for migrations. */
      readonly limits?: SessionLimits;
      /** How long a statement waits for a connection, in milliseconds; 2000 by default. */
      readonly connectWithinMs?: number;
    }
  | {
      readonly kind: 'embedded';
      readonly stream: () => Duplex;
      /** How long a statement waits for the only session, in milliseconds; 5000 by default. */
      readonly connectWithinMs?: number;
    };

/** Called for connections that broke while idle. The pool has already replaced them. */
export type OnConnectionLost = (error: Error) => void;

const CONNECT_WITHIN_MS = 2000;
const TURN_WITHIN_MS = 5000;

/** Dates and times without a zone stay text: as `Date` they would shift with the time zone of the process. */
const textTypes: readonly number[] = [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMP];
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    textTypes.includes(oid) ? (text: string) => text : (pg.types.getTypeParser as (oid: number, format?: string) => unknown)(oid, format),
};

/**
 * The client-side limit, for a server that vanished without an answer. It is later than the server's own limit, whose error names the
 * reason.
 */
const ANSWER_WITHIN_MS = STATEMENT_WITHIN_MS + 1000;

/**
 * The data source of the service and of the command line, not yet connected. `bigint` and `numeric` are read as strings, `timestamptz` as
 * `Date`. A condition with a missing value throws instead of matching every row.
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
  return new DataSource({ ...common, ...(target.kind === 'embedded' ? toEmbedded(target) : toServer(target)) });
}

type OptionsOf<Kind extends DatabaseTarget['kind']> = DatabaseTarget & { readonly kind: Kind };

/** One permanent connection, because the embedded database has one session. Transactions queue instead of mixing. */
const toEmbedded = ({ stream, connectWithinMs = TURN_WITHIN_MS }: OptionsOf<'embedded'>) => ({
  username: 'postgres',
  database: 'postgres',
  extra: { max: 1, stream, connectionTimeoutMillis: connectWithinMs, idleTimeoutMillis: 0, types },
});

/** Options that only code outside TypeORM reads. */
interface ServerExtra {
  readonly address: ServerAddress;
  readonly direct: ServerAddress;
}

/** The address for a dedicated session; `undefined` for the embedded database. */
export const directAddressOf = (db: DataSource): ServerAddress | undefined =>
  (db.options as { readonly extra?: Partial<ServerExtra> }).extra?.direct;

function toServer(target: OptionsOf<'postgres'>) {
  const { url, directUrl, poolSize = 10, limits = 'serving', connectWithinMs = CONNECT_WITHIN_MS } = target;
  const address = new ServerAddress(url);
  const direct = directUrl === undefined ? address : new ServerAddress(directUrl, { setting: 'DATABASE_DIRECT_URL' });
  const extra = {
    ...address.config,
    ...({ address, direct } satisfies ServerExtra),
    ...(limits === 'serving' && { query_timeout: ANSWER_WITHIN_MS }),
    ...(directUrl === undefined ? { verify: prepareSession(limits) } : { verify: prepareSession('shared'), Client: UnnamedStatements }),
    keepAlive: true,
    // The last connection stays open: other processes may take every place that the server has for this role.
    min: 1,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectWithinMs,
    types,
  };
  return { poolSize, extra };
}
