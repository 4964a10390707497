import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/** Notes every statement that a data source sends, by its name, or its text where it has none. */
export class CountedStatements {
  private readonly noted: string[] = [];
  private readonly known = new WeakSet<PoolClient>();

  constructor(db: DataSource) {
    const pool = (db.driver as unknown as { master: Pool }).master;
    pool.on('acquire', (client) => {
      this.listenTo(client);
    });
  }

  /** The statements that were sent while `work` was done, also those of other work at the same time. */
  async during(work: () => Promise<unknown>): Promise<string[]> {
    const before = this.noted.length;
    await work();
    return this.noted.slice(before);
  }

  private listenTo(client: PoolClient): void {
    if (this.known.has(client)) return;
    this.known.add(client);
    const query = client.query.bind(client) as (...sent: readonly unknown[]) => unknown;
    const noting = (...sent: readonly unknown[]): unknown => {
      this.noted.push(nameOf(sent[0]));
      return query(...sent);
    };
    Object.assign(client, { query: noting });
  }
}

function nameOf(sent: unknown): string {
  if (typeof sent === 'string') return sent;
  const { name, text = '' } = sent as { readonly name?: string; readonly text?: string };
  return name ?? text;
}
