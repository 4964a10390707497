import { Client } from 'pg';
import { findPostgres, type PostgresServer } from './postgres/postgres-server';
import { testRun } from './test-run';

const FAMILY = 'pierhead_test';
/** A run that was killed leaves its databases behind; none lasts this long. */
const ABANDONED_AFTER_MS = 6 * 3_600_000;

export const testServer: { running?: PostgresServer | undefined } = ((globalThis as Record<string, unknown>)['pierheadTestServer'] ??= {});

/** Finds the databases that this run tests against, and says so in one line. */
export default async function globalSetup(): Promise<void> {
  const server = await findPostgres();
  if (!server && process.env['CI'] === 'true') throw new Error('CI has no Postgres: start one, or set TEST_DATABASE_URL');
  testServer.running = server;
  testRun.publish({ postgresUrl: server?.url, prefix: `${FAMILY}_${Date.now().toString(36)}_${process.pid}` });
  if (server) await dropAbandoned(server.url);
  process.stdout.write(`Databases of this run: ${server ? `Postgres (${server.origin}), ` : ''}embedded\n`);
}

async function dropAbandoned(url: string): Promise<void> {
  await dropDatabases(url, (name) => {
    const startedAt = parseInt(/^pierhead_test_([0-9a-z]+)_/.exec(name)?.[1] ?? '', 36);
    return startedAt < Date.now() - ABANDONED_AFTER_MS;
  });
}

/** Drops the test databases whose name is chosen. */
export async function dropDatabases(url: string, chosen: (name: string) => boolean): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    const { rows } = await admin.query<{ datname: string }>(`select datname from pg_database where datname like $1`, [`${FAMILY}\\_%`]);
    for (const { datname } of rows.filter((row) => chosen(row.datname))) {
      await admin.query(`drop database if exists ${admin.escapeIdentifier(datname)} with (force)`);
    }
  } finally {
    await admin.end();
  }
}
