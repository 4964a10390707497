import type { Duplex } from 'node:stream';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { migrations } from '../../../../migrations/all';
import { BoundedPool } from './bounded-pool';
import { prepareSession } from './connection/prepare-session';
import { STATEMENT_WITHIN_MS, type SessionLimits } from './connection/session-settings';
import { ServerAddress } from './connection/server-address';
import { UnnamedStatements } from './connection/shared-sessions';
import { schemas } from './schemas';

/** Which database: a Postgres by URL, or the embedded one by its in-process stream. */
export type DatabaseTarget =
  | {
      readonly kind: 'postgres';
      readonly url: string;
      /** The address of the database itself where `url` leads to a pooler in transaction mode; absent: `url` leads to sessions of our own. */
      readonly directUrl?: string | undefined;
      /** Connections at most; 10. */
      readonly poolSize?: number;
      /** `none`: no statement is cut off, for migrations; `serving` (default): none may run longer than five seconds. */
      readonly limits?: SessionLimits;
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

/** Days and zoneless times stay text: as `Date` they would shift with the time zone of the process. */
const textTypes: readonly number[] = [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMP];
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    textTypes.includes(oid) ? (text: string) => text : (pg.types.getTypeParser as (oid: number, format?: string) => unknown)(oid, format),
};

/** Ours, for a server that has vanished without a word; later than the server's own limit, which names the reason. */
const ANSWER_WITHIN_MS = STATEMENT_WITHIN_MS + 1000;

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
  return new DataSource({ ...common, ...(target.kind === 'embedded' ? toEmbedded(target) : toServer(target)) });
}

type OptionsOf<Kind extends DatabaseTarget['kind']> = DatabaseTarget & { readonly kind: Kind };

/** One connection that stays, as the embedded database has one session: transactions queue instead of mixing. */
const toEmbedded = ({ stream, connectWithinMs = TURN_WITHIN_MS }: OptionsOf<'embedded'>) => ({
  username: 'postgres',
  database: 'postgres',
  extra: { max: 1, stream, connectionTimeoutMillis: connectWithinMs, idleTimeoutMillis: 0, types },
});

/** Parts of the options that others than TypeORM read. */
interface ServerExtra {
  readonly address: ServerAddress;
  readonly direct: ServerAddress;
}

/** Where a session of its own may be opened for the database; `undefined` for the embedded one. */
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
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectWithinMs,
    types,
  };
  return { poolSize, extra };
}
