import { randomBytes } from 'node:crypto';
import { createDataSource } from './data-source';

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
  const [address = '', query = ''] = url.split('?');
  const own = new URLSearchParams(query);
  own.set('options', [own.get('options'), `-c search_path=${name}`].filter(Boolean).join(' '));
  return { url: `${address}?${own.toString()}`, drop: () => run(url, `drop schema if exists ${name} cascade`) };
}

async function run(url: string, statement: string): Promise<void> {
  const db = await createDataSource({ kind: 'postgres', url, poolSize: 1, connectWithinMs }).initialize();
  await db.query(statement).finally(() => db.destroy());
}
