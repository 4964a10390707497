import type { PoolClient, QueryConfig } from 'pg';

/** Milliseconds. */
const answerWithinMs = 2000;
const look: QueryConfig & { query_timeout: number } = { text: 'show transaction_read_only', query_timeout: answerWithinMs };

/** A server that takes no writes: a standby, or one that was set so. SQLSTATE 25006 says the same of a statement. */
class ReadOnlyServer extends Error {
  readonly code = '25006';

  constructor() {
    super('The server takes no writes');
    this.name = new.target.name;
  }
}

/**
 * Looks at a new connection, within two seconds, and refuses one to a server that takes no writes: what a standby holds may be
 * old, and the address of a cluster may lead to it for a while.
 */
export function requireWritable(connection: PoolClient, done: (refused?: Error) => void): void {
  // The pool listens to a connection while it is idle, its users while they have it; in between, an error would end the process.
  const onLost = (): void => undefined;
  connection.on('error', onLost);
  const end = (refused?: Error): void => {
    connection.removeListener('error', onLost);
    done(refused);
  };
  connection.query<{ transaction_read_only: string }>(look).then(
    ({ rows }) => {
      end(rows[0]?.transaction_read_only === 'on' ? new ReadOnlyServer() : undefined);
    },
    (error: unknown) => {
      end(error as Error);
    },
  );
}
