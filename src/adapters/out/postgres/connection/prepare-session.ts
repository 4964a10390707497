import type { PoolClient, QueryConfig } from 'pg';
import { firstWrongSetting, neededValue, sessionStatement, type SessionLimits } from './session-settings';

/** Milliseconds. */
const answerWithinMs = 2000;

/** A server that takes no writes: a standby, or one that was set so. SQLSTATE 25006 says the same of a statement. */
class ReadOnlyServer extends Error {
  readonly code = '25006';

  constructor() {
    super('The server takes no writes');
    this.name = new.target.name;
  }
}

/** Triggers keep the audit trail and tell of changes; a superuser may have turned them off for a database or a role. */
class TriggersOff extends Error {
  constructor() {
    super('Triggers are off: session_replication_role must be origin for this role and database');
    this.name = new.target.name;
  }
}

/** A role or database changes what the code relies on, and a pooler keeps sessions from being set up. */
class SettingWrong extends Error {
  constructor({ wrong, role, database }: Pick<SessionFacts, 'wrong' | 'role' | 'database'>) {
    const name = wrong ?? '';
    super(
      `Sessions behind a pooler in transaction mode have another ${name} than the service relies on: run "alter role ${role} in database ${database} set ${name} = '${neededValue(name)}'"`,
    );
    this.name = new.target.name;
  }
}

interface SessionFacts {
  readonly read_only: string;
  readonly replication_role: string;
  readonly role: string;
  readonly database: string;
  /** Of a shared session alone. */
  readonly wrong?: string | null;
}

const facts = [
  `current_setting('transaction_read_only') as read_only`,
  `current_setting('session_replication_role') as replication_role`,
  'quote_ident(current_user) as role',
  'quote_ident(current_database()) as database',
];
const lookAtShared = `select ${[...facts, firstWrongSetting].join(', ')}`;

/**
 * For the pool: sets up a new connection, in one round trip of at most two seconds, and refuses one to a server that takes no writes: what
 * a standby holds may be old, and the address of a cluster may lead to it for a while. A `shared` session is not set up, but looked at.
 */
export function prepareSession(limits: SessionLimits | 'shared'): (connection: PoolClient, done: (refused?: Error) => void) => void {
  const setUp: QueryConfig & { query_timeout: number } = {
    text: limits === 'shared' ? lookAtShared : sessionStatement(limits, facts),
    query_timeout: answerWithinMs,
  };
  return (connection, done) => {
    // The pool listens to a connection while it is idle, its users while they have it; in between, an error would end the process.
    const onLost = (): void => undefined;
    connection.on('error', onLost);
    const end = (refused?: Error): void => {
      connection.removeListener('error', onLost);
      done(refused);
    };
    connection.query<SessionFacts>(setUp).then(
      ({ rows: [row] }) => {
        end(refusalOf(row));
      },
      (error: unknown) => {
        end(error as Error);
      },
    );
  };
}

function refusalOf(row: SessionFacts | undefined): Error | undefined {
  if (row?.read_only === 'on') return new ReadOnlyServer();
  if (row?.replication_role !== 'origin') return new TriggersOff();
  return row.wrong ? new SettingWrong(row) : undefined;
}
