import { createHash } from 'node:crypto';
import { defaultHostAppSettings } from '../../../src/domain/partners/host-app';
import { defaultIntegrationSettings } from '../../../src/domain/partners/integrations/integration';
import { defaultMiniappSettings } from '../../../src/domain/partners/miniapp';
import type { BenchDatabase } from '../bench-database';
import { printLine } from '../round';
import { fillRecords } from './fill-records';
import { SealedRows } from './sealed-rows';
import { appId, hostId, makeSpread, pairCount, pairWith, partnersOfKind } from './spread';

/** Somebody who looks at lists. */
export interface ListViewer {
  readonly name: string;
  readonly role: 'host-app' | 'miniapp';
  readonly partnerId: string;
  /** Of its session. */
  readonly token: string;
}

/** A token as sessions have them, the same in every run. */
const tokenOf = (name: string): string => createHash('sha256').update(name).digest('base64url');

const viewer = (name: string, role: ListViewer['role'], partnerId: string): ListViewer => ({ name, role, partnerId, token: tokenOf(name) });

/** A partner of each kind with much of everything, and one with little. */
export const viewers: readonly ListViewer[] = [
  viewer('large host app', 'host-app', hostId(1)),
  viewer('small host app', 'host-app', hostId(3000)),
  viewer('large miniapp', 'miniapp', appId(1)),
  viewer('small miniapp', 'miniapp', appId(3000)),
];

/**
 * Fills an empty database, which the service has migrated, with `rows` of every record that lists show. One host app has half of all, most partners
 * a hundred rows each. Triggers are off meanwhile, so what sums up payments and chains the audit trail knows nothing of these rows.
 */
export async function fill(database: BenchDatabase, rows: number): Promise<void> {
  await database.query('set session_replication_role = replica');
  await database.query(`set synchronous_commit = off`);
  await makeSpread(database);
  await fillPartners(database);
  const sealed = await SealedRows.open(database);
  await sealed.credentials();
  await sealed.users(rows);
  await sealed.payments(rows);
  await sealed.unmatched(rows / 5);
  await fillRecords(database, rows);
  await addViewers(database);
  await database.query('set session_replication_role = origin');
  // As what has grown over months was: otherwise the server would do it meanwhile, beside the calls.
  await database.query('vacuum (analyze)');
  await database.query('checkpoint');
  printLine('filled');
}

async function fillPartners(database: BenchDatabase): Promise<void> {
  const features = { sso: true, payments: true, events: true };
  const urls = { getAuthToken: 'https://mini.example/auth', webhook: 'https://mini.example/webhook' };
  const kinds = {
    host_apps: { idOf: hostId, settings: { ...defaultHostAppSettings, features, endpoints: { userData: 'https://host.example/user' } } },
    miniapps: { idOf: appId, settings: { ...defaultMiniappSettings, features, endpoints: urls } },
  };
  for (const [table, { idOf, settings }] of Object.entries(kinds)) {
    const ids = Array.from({ length: partnersOfKind }, (_, n) => idOf(n + 1));
    await database.query(
      `insert into ${table} (id, version, settings, created_at, updated_at)
       select id, 1, $2::jsonb || jsonb_build_object('name', 'Partner ' || id), now(), now() from unnest($1::text[]) id`,
      [ids, JSON.stringify(settings)],
    );
  }
  const { status, ...rest } = { ...defaultIntegrationSettings, features, status: 'accepted' };
  const pairs = Array.from({ length: pairCount }, (_, n) => pairWith(n + 1));
  await database.query(
    `insert into integrations (id, client_id, app_id, version, status, settings, created_at, updated_at)
     select id, client, app, 1, $4, $5::jsonb, now(), now() from unnest($1::text[], $2::text[], $3::text[]) as p (id, client, app)`,
    [
      ...[pairs.map(({ integrationId }) => integrationId), pairs.map(({ clientId }) => clientId), pairs.map((pair) => pair.appId)],
      ...[status, JSON.stringify(rest)],
    ],
  );
}

/** An account with a session for each of those who look. */
async function addViewers(database: BenchDatabase): Promise<void> {
  for (const [i, { role, partnerId, token }] of viewers.entries()) {
    const id = `viewer${i}`;
    const ids = role === 'host-app' ? [partnerId, null] : [null, partnerId];
    await database.query(
      'insert into accounts (id, email, name, role, client_id, app_id, created_at) values ($1, $2, $1, $3, $4, $5, now())',
      [id, `${id}@example.com`, role, ...ids],
    );
    await database.query(
      `insert into account_sessions (digest, id, account_id, created_at, seen_at, expires_at, address, agent)
       values ($1, $2, $2, now(), now() + interval '1 hour', now() + interval '7 days', '127.0.0.1', 'bench')`,
      [createHash('sha256').update(token, 'utf8').digest('base64url'), id],
    );
  }
}
