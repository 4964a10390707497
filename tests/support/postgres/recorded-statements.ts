import type { DataSource } from 'typeorm';

/** A statement as it was sent to the driver. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface Sending {
  query(statement: SentStatement, ...rest: unknown[]): unknown;
}
interface Connecting {
  connect(): Promise<Sending>;
}

/** The data source, which notes what readers send over the connections of its pool. */
export function recordedStatements(db: DataSource): { readonly db: DataSource; readonly sent: SentStatement[] } {
  const sent: SentStatement[] = [];
  const noting = (client: Sending): Sending =>
    withMember(client, 'query', (statement: SentStatement, ...rest: unknown[]) => {
      sent.push(statement);
      return client.query(statement, ...rest);
    });
  const pool = (db.driver as unknown as { readonly master: Connecting }).master;
  const master = withMember(pool, 'connect', async () => noting(await pool.connect()));
  return { db: withMember(db, 'driver', withMember(db.driver, 'master' as never, master as never)), sent };
}

/** The object with another value for one member. */
const withMember = <T extends object>(whole: T, name: keyof T, value: unknown): T =>
  new Proxy(whole, {
    get: (target, property) => {
      if (property === name) return value;
      const own: unknown = Reflect.get(target, property, target);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
