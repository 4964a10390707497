import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A schema that nobody else uses, for as long as it is needed. */
export interface ThrowawaySchema {
  /** The database by a URL under which every name is looked up, and made, in this schema alone. */
  readonly url: string;
  /** Takes the schema away with all that is in it. */
  drop(): Promise<void>;
}

const connectWithinMs = 3000;

/** Makes a schema in the database of this URL, whose role must be allowed to. Touches nothing that is there. Rejects with the driver's error. */
export async function makeThrowawaySchema(url: string): Promise<ThrowawaySchema> {
  const name = `pierhead_${randomBytes(6).toString('hex')}`;
  await run(url, `create schema ${name}`);
  const own = new URL(url);
  own.searchParams.set('options', [own.searchParams.get('options'), `-c search_path=${name}`].filter(Boolean).join(' '));
  return { url: own.href, drop: () => run(url, `drop schema if exists ${name} cascade`) };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectWithinMs });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
