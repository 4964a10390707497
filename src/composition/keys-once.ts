import { resealColumn, type Resealing } from '../adapters/out/postgres/reencrypt';
import { sealedColumns } from '../adapters/out/postgres/sealed-columns';
import { AesSecretBox, sealHeader } from '../adapters/out/secrets/secret-box';
import type { Settings } from '../config/settings';
import type { SealsOfKey } from '../domain/operations/rewrap-keys';
import { sealsByKey } from './own-key-ring';
import { withDatabase } from './with-database';

/** What became of the values. */
export interface Reencryption {
  /** The id of the first key of ENCRYPTION_KEYS. */
  readonly key: string;
  readonly columns: readonly Resealing[];
  /** Other keys that still seal something. */
  readonly others: readonly SealsOfKey[];
}

/** Which keys seal how many values, and where. Opens no value, so it needs no key. */
export const listKeys = (settings: Settings): Promise<readonly SealsOfKey[]> => withDatabase(settings, ({ db }) => sealsByKey(db));

/**
 * Seals every value anew under the first key of ENCRYPTION_KEYS, while instances serve; `tell` hears of each column. Throws where
 * there is no ring.
 */
export async function reencrypt(settings: Settings, tell: (line: string) => void): Promise<Reencryption> {
  const ring = settings.encryptionKeys;
  const [first] = ring ?? [];
  if (!ring || !first) throw new Error('ENCRYPTION_KEYS is needed: the key that shall seal everything first, the keys so far after it');
  const box = new AesSecretBox(ring);
  return withDatabase(settings, async ({ db }) => {
    tell(`Sealing everything under ${first.id}`);
    const columns: Resealing[] = [];
    for (const of of sealedColumns) {
      const resealing = await resealColumn({ db, box, header: sealHeader(first.id) }, of);
      columns.push(resealing);
      tell(lineOf(resealing));
    }
    return { key: first.id, columns, others: (await sealsByKey(db)).filter(({ id }) => id !== first.id) };
  });
}

/** The keys in words. */
export function keyLines(keys: readonly SealsOfKey[]): string[] {
  if (keys.length === 0) return ['Nothing is sealed yet'];
  return keys.flatMap(({ id, values, places }) => [
    `${id}: ${String(values)} values`,
    ...Object.entries(places).map(([place, count]) => `  ${place}: ${String(count)}`),
  ]);
}

/** What may be done with the other keys, in words. */
export function otherKeyLines({ key, others }: Reencryption): string[] {
  if (others.length === 0) return [`All is sealed under ${key}: the other keys can be taken out of ENCRYPTION_KEYS`];
  return [
    ...others.map(({ id, values, places }) => `${id} still seals ${String(values)} values (${Object.keys(places).join(', ')}): keep it`),
    'An instance that still seals under such a key has another order of ENCRYPTION_KEYS; set it right and run this again',
  ];
}

function lineOf({ table, column, seen, resealed, current, overtaken, unreadable }: Resealing): string {
  const counts = { seen, 'sealed anew': resealed, 'sealed so already': current, 'changed meanwhile and repeated': overtaken };
  const told = Object.entries({ ...counts, 'not readable': unreadable }).map(([what, count]) => `${String(count)} ${what}`);
  return `${table}.${column}: ${told.join(', ')}`;
}
