import { randomBytes } from 'node:crypto';
import { createDataSource } from './data-source';

/** A temporary schema for exclusive use. */
export interface ThrowawaySchema {
  /** A URL of the database that resolves and creates all names in this schema only. */
  readonly url: string;
  /** Drops the schema with all its contents. */
  drop(): Promise<void>;
}

const connectWithinMs = 3000;

/**
 * Creates a schema in the database of this URL; its role needs the right to do so. Changes nothing else. Rejects with the driver's error.
 */
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
