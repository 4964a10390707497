import pg, { type ClientConfig } from 'pg';
import { DatabaseUnfit } from './check-server';
import type { ServerAddress } from './server-address';

/** Milliseconds. A pooler may delay a second connection until the first one ends. */
const ANSWER_WITHIN_MS = 2000;

/** A connection through a pooler in transaction mode. Each statement may run in another session, so none is prepared under a name. */
export class UnnamedStatements extends pg.Client {
  // The driver accepts text, a query config or a prepared query object; the latter two may have a name.
  override query = ((statement: unknown, ...rest: unknown[]): unknown => {
    if (typeof statement === 'object' && statement !== null && 'name' in statement) statement.name = undefined;
    return (super.query as (...args: unknown[]) => unknown)(statement, ...rest);
  }) as pg.Client['query'];
}

/**
 * Whether connections to the address share sessions, as behind a pooler in transaction mode: one session serves two open connections, or
 * several sessions serve one. If a second connection cannot be opened, they do not.
 */
export async function sharesSessions(address: ServerAddress): Promise<boolean> {
  const config: ClientConfig = { ...address.config, connectionTimeoutMillis: ANSWER_WITHIN_MS, query_timeout: ANSWER_WITHIN_MS };
  const [one, other] = [new pg.Client(config), new pg.Client(config)];
  for (const client of [one, other]) client.on('error', () => undefined);
  try {
    await one.connect();
    await other.connect();
    const seen = { one: new Set<number>(), other: new Set<number>() };
    // Asks twice in a row, because a pooler may assign sessions in rotation.
    for (const who of ['one', 'one', 'other', 'one', 'other'] as const) seen[who].add(await sessionOf(who === 'one' ? one : other));
    return seen.one.size > 1 || seen.other.size > 1 || [...seen.one].some((session) => seen.other.has(session));
  } catch {
    return false;
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => undefined)));
  }
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ session: number }>('select pg_backend_pid() as session');
  return rows[0]?.session ?? 0;
}

/** Requires sessions that are not shared. @throws DatabaseUnfit when connections to the address share sessions. */
export async function requireOwnSessions(address: ServerAddress): Promise<void> {
  if (!(await sharesSessions(address))) return;
  const { setting } = address;
  throw new DatabaseUnfit(
    `${setting} leads to a pooler in transaction mode, where no session can listen, keep a lock or be set up: ${
      setting === 'DATABASE_URL'
        ? 'set DATABASE_DIRECT_URL to the same database past the pooler, or the pooler to session mode'
        : `set ${setting} to the same database past the pooler`
    }`,
  );
}
