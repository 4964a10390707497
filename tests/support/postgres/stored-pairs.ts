import type { DataSource } from 'typeorm';

/** An integration as tables name it. */
export interface StoredPair {
  readonly id: string;
  readonly clientId: string;
  readonly appId: string;
}

/** Two host apps, two miniapps, three integrations. */
export const storedPairs: readonly [StoredPair, StoredPair, StoredPair] = [
  { id: 'int_1', clientId: 'host_1', appId: 'app_1' },
  { id: 'int_2', clientId: 'host_1', appId: 'app_2' },
  { id: 'int_3', clientId: 'host_2', appId: 'app_1' },
];

/** Writes accepted integrations, with their partners, past the manage API. */
export async function storePairs(db: DataSource, pairs: readonly StoredPair[] = storedPairs): Promise<void> {
  const store = (table: string, ids: readonly string[]): Promise<unknown> =>
    db.query(
      `insert into ${table} (id, version, settings, created_at, updated_at) select id, 1, '{}', now(), now() from unnest($1::text[]) id`,
      [[...new Set(ids)]],
    );
  await store(
    'host_apps',
    pairs.map(({ clientId }) => clientId),
  );
  await store(
    'miniapps',
    pairs.map(({ appId }) => appId),
  );
  const columns = (['id', 'clientId', 'appId'] as const).map((name) => pairs.map((pair) => pair[name]));
  await db.query(
    `insert into integrations (id, client_id, app_id, version, status, settings, created_at, updated_at)
     select id, client_id, app_id, 1, 'accepted', '{}', now(), now() from unnest($1::text[], $2::text[], $3::text[]) p (id, client_id, app_id)`,
    columns,
  );
}
