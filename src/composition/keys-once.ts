import type { DataSource } from 'typeorm';
import { resealColumn, type Resealing } from '../adapters/out/postgres/reencrypt';
import { sealedColumns } from '../adapters/out/postgres/sealed-columns';
import { sealedSample } from '../adapters/out/postgres/sealed-sample';
import { AesSecretBox, sealHeader } from '../adapters/out/secrets/secret-box';
import { knownKeys } from '../config/development-secrets';
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

/** A key, what it seals, and whether the key of that name that is at hand opens it. */
export interface KeyInUse extends SealsOfKey {
  /** By one value that was opened; `false` too where there are keys, and none of that name. Absent: no key is at hand. */
  readonly opens?: boolean;
}

/** Which keys seal how many values, and where; one value of each is opened where ENCRYPTION_KEYS, or the key in DATA_DIR, is there. */
export async function listKeys(settings: Settings): Promise<readonly KeyInUse[]> {
  const ring = knownKeys(settings);
  const box = ring.length > 0 ? new AesSecretBox(ring) : undefined;
  return withDatabase(settings, async ({ db }) => {
    const keys: KeyInUse[] = [];
    for (const key of await sealsByKey(db)) keys.push(box ? { ...key, opens: await opensOneOf(db, box, key) } : key);
    return keys;
  });
}

async function opensOneOf(db: DataSource, box: AesSecretBox, { id, places }: SealsOfKey): Promise<boolean> {
  const of = sealedColumns.find(({ table, column }) => `${table}.${column}` in places);
  const sample = of && (await sealedSample(db, of, sealHeader(id)));
  try {
    if (sample) box.open(sample.sealed, sample.place);
    return true;
  } catch {
    return false;
  }
}

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

const notOpened =
  ', which no key of ENCRYPTION_KEYS (or of DATA_DIR, without that setting) opens: set the keys, or the DATA_DIR, of the first start';

/** The keys in words. */
export function keyLines(keys: readonly KeyInUse[]): string[] {
  if (keys.length === 0) return ['Nothing is sealed yet'];
  return keys.flatMap(({ id, values, places, opens }) => [
    `${id}: ${String(values)} values${opens === false ? notOpened : ''}`,
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
