import type { BenchDatabase } from '../bench-database';

/** A host app and a miniapp that are integrated. */
export interface SpreadPair {
  readonly integrationId: string;
  readonly clientId: string;
  readonly appId: string;
}

const padded = (n: number): string => String(n).padStart(5, '0');
export const hostId = (n: number): string => `host_${padded(n)}`;
export const appId = (n: number): string => `app_${padded(n)}`;

/** Host apps, and as many miniapps. */
export const partnersOfKind = 5000;
export const pairCount = 10_000;
/** Integrations of the largest host app, and of the largest miniapp. */
const largest = 100;

/** The pair with this number, from 1 on: first those of the largest host app, then those of the largest miniapp, then one or two for each of the others. */
export function pairWith(n: number): SpreadPair {
  const [host, mini] = numbersOf(n);
  return { integrationId: `int_${padded(n)}`, clientId: hostId(host), appId: appId(mini) };
}

function numbersOf(n: number): readonly [number, number] {
  if (n <= largest) return [1, n];
  if (n < 2 * largest) return [n - largest + 1, 1];
  const others = partnersOfKind - 1;
  const rest = n - 2 * largest;
  return [2 + (rest % others), 2 + ((rest + 17 * Math.floor(rest / others)) % others)];
}

/** The rows repeat their pairs after so many. */
export const gridSize = 19_800;

/** Whose row `n` is: a quarter of all rows belongs to the first pair, a quarter to the other miniapps of its host app, half to 9,900 small pairs. */
export function pairOfRow(n: number): SpreadPair {
  const index = n % gridSize;
  if (index % 4 === 0) return pairWith(1);
  return pairWith(
    index % 4 === 2 ? 2 + (Math.floor(index / 4) % (largest - 1)) : largest + 1 + (Math.floor(index / 2) % (pairCount - largest)),
  );
}

/** Makes the temporary table `spread`: the pair of each row by `n % gridSize`. Gone with the connection. */
export async function makeSpread(database: BenchDatabase): Promise<void> {
  const pairs = Array.from({ length: gridSize }, (_, index) => pairOfRow(index));
  await database.query('create temporary table spread (slot integer primary key, integration_id text, client_id text, app_id text)');
  await database.query('insert into spread select * from unnest($1::integer[], $2::text[], $3::text[], $4::text[])', [
    pairs.map((_, index) => index),
    ...[pairs.map(({ integrationId }) => integrationId), pairs.map(({ clientId }) => clientId), pairs.map((pair) => pair.appId)],
  ]);
  await database.query('analyze spread');
}
