import type { PoolClient, QueryConfig } from 'pg';
import { firstWrongSetting, neededValue, sessionStatement, type SessionLimits } from './session-settings';

const answerWithinMs = 2000;

/** The server takes no writes: it is a standby or set to read-only. Its SQLSTATE is the one of a refused write, 25006. */
class ReadOnlyServer extends Error {
  readonly code = '25006';

  constructor() {
    super('The server takes no writes');
    this.name = new.target.name;
  }
}

/** Triggers write the audit trail and publish changes; a superuser may have disabled them for a database or a role. */
class TriggersOff extends Error {
  constructor() {
    super('Triggers are off: session_replication_role must be origin for this role and database');
    this.name = new.target.name;
  }
}

/** A role or database changes a setting that the code relies on, and behind a pooler the session cannot set it. */
class SettingWrong extends Error {
  constructor({ wrong, role, database }: Pick<SessionDetails, 'wrong' | 'role' | 'database'>) {
    const name = wrong ?? '';
    super(
      `Sessions behind a pooler in transaction mode have another ${name} than the service relies on: run "alter role ${role} in database ${database} set ${name} = '${neededValue(name)}'"`,
    );
    this.name = new.target.name;
  }
}

interface SessionDetails {
  readonly read_only: string;
  readonly replication_role: string;
  readonly role: string;
  readonly database: string;
  /** Only for a shared session. */
  readonly wrong?: string | null;
}

const columns = [
  `current_setting('transaction_read_only') as read_only`,
  `current_setting('session_replication_role') as replication_role`,
  'quote_ident(current_user) as role',
  'quote_ident(current_database()) as database',
];
const checkShared = `select ${[...columns, firstWrongSetting].join(', ')}`;

/**
 * For the pool: prepares a new connection in one round trip of at most two seconds. Rejects a server that takes no writes: a standby's data
 * may be old, and a cluster's address may lead to one for a while. Only checks a `shared` session, without changing it.
 */
export function prepareSession(limits: SessionLimits | 'shared'): (connection: PoolClient, done: (refused?: Error) => void) => void {
  const setUp: QueryConfig & { query_timeout: number } = {
    text: limits === 'shared' ? checkShared : sessionStatement(limits, columns),
    query_timeout: answerWithinMs,
  };
  return (connection, done) => {
    // The pool listens for errors while the connection is idle, and its user while it is in use. Between the two, an error would end the
    // process.
    const onLost = (): void => undefined;
    connection.on('error', onLost);
    const end = (refused?: Error): void => {
      connection.removeListener('error', onLost);
      done(refused);
    };
    connection.query<SessionDetails>(setUp).then(
      ({ rows: [row] }) => {
        end(refusalOf(row));
      },
      (error: unknown) => {
        end(error as Error);
      },
    );
  };
}

function refusalOf(row: SessionDetails | undefined): Error | undefined {
  if (row?.read_only === 'on') return new ReadOnlyServer();
  if (row?.replication_role !== 'origin') return new TriggersOff();
  return row.wrong ? new SettingWrong(row) : undefined;
}
