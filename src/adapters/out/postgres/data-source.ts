import type { Duplex } from 'node:stream';
import { DataSource, type EntitySchema } from 'typeorm';
import { migrations } from '../../../../migrations/all';

/** Which database: a Postgres by URL, or the embedded one by its in-process stream. */
export type DatabaseTarget =
  | { readonly kind: 'postgres'; readonly url: string; readonly poolSize?: number }
  | { readonly kind: 'embedded'; readonly stream: () => Duplex };

/** Every table that TypeORM knows; `typeorm migration:generate --check` compares them with the migrations. */
export const schemas: EntitySchema[] = [];

/** The data source of the service and of the command line (ormconfig.ts). Not yet connected. */
export function createDataSource(target: DatabaseTarget): DataSource {
  const common = {
    type: 'postgres',
    entities: schemas,
    migrations,
    synchronize: false,
    applicationName: 'pierhead',
  } as const;
  if (target.kind === 'embedded') {
    // One connection, as the embedded database has one session: transactions queue instead of mixing.
    return new DataSource({
      ...common,
      username: 'postgres',
      database: 'postgres',
      extra: { max: 1, stream: target.stream, connectionTimeoutMillis: 5000 },
    });
  }
  return new DataSource({
    ...common,
    url: target.url,
    poolSize: target.poolSize ?? 10,
    extra: {
      statement_timeout: 5000,
      idle_in_transaction_session_timeout: 10_000,
      connectionTimeoutMillis: 2000,
      idleTimeoutMillis: 30_000,
    },
  });
}
