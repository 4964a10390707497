import type { DataSource } from 'typeorm';
import { resealColumn, type Resealing } from '../../adapters/out/postgres/sealing/reencrypt';
import { sealedColumns } from '../../adapters/out/postgres/sealing/sealed-columns';
import { sealedSample } from '../../adapters/out/postgres/sealing/sealed-sample';
import { AesSecretCipher, sealHeader } from '../../adapters/out/secrets/secret-cipher';
import { knownKeys } from '../../config/development-secrets';
import type { Settings } from '../../config/settings';
import type { SealsOfKey } from '../../domain/operations/rewrap-keys';
import { sealsByKey } from './own-key-ring';
import { withDatabase } from './with-database';

/** The result of a re-encryption. */
export interface Reencryption {
  /** The id of the first key of ENCRYPTION_KEYS. */
  readonly key: string;
  readonly columns: readonly Resealing[];
  /** Other keys under which values are still sealed. */
  readonly others: readonly SealsOfKey[];
}

/** A key, the values sealed under it, and whether the known key with that id decrypts them. */
export interface KeyInUse extends SealsOfKey {
  /** Tested with one value; `false` also when keys are known but none with that id. Absent: no key is known. */
  readonly opens?: boolean;
}

/** Counts the sealed values by key and column. Decrypts one value of each key when ENCRYPTION_KEYS or the key in DATA_DIR is present. */
export async function listKeys(settings: Settings): Promise<readonly KeyInUse[]> {
  const notify = knownKeys(settings);
  const box = notify.length > 0 ? new AesSecretCipher(notify) : undefined;
  return withDatabase(settings, async ({ db }) => {
    const keys: KeyInUse[] = [];
    for (const key of await sealsByKey(db)) keys.push(box ? { ...key, opens: await opensOneOf(db, box, key) } : key);
    return keys;
  });
}

async function opensOneOf(db: DataSource, box: AesSecretCipher, { id, byColumn }: SealsOfKey): Promise<boolean> {
  const of = sealedColumns.find(({ table, column }) => `${table}.${column}` in byColumn);
  const sample = of && (await sealedSample(db, of, sealHeader(id)));
  try {
    if (sample) box.open(sample.sealed, sample.context);
    return true;
  } catch {
    return false;
  }
}

/**
 * Re-encrypts every value with the first key of ENCRYPTION_KEYS while instances serve. `print` gets a line for each column. Throws without
 * a key ring.
 */
export async function reencrypt(settings: Settings, print: (line: string) => void): Promise<Reencryption> {
  const notify = settings.encryptionKeys;
  const [first] = notify ?? [];
  if (!notify || !first) throw new Error('ENCRYPTION_KEYS is needed: the key that shall seal everything first, the keys so far after it');
  const box = new AesSecretCipher(notify);
  return withDatabase(settings, async ({ db }) => {
    print(`Sealing everything under ${first.id}`);
    const columns: Resealing[] = [];
    for (const of of sealedColumns) {
      const resealing = await resealColumn({ db, box, header: sealHeader(first.id) }, of);
      columns.push(resealing);
      print(lineOf(resealing));
    }
    return { key: first.id, columns, others: (await sealsByKey(db)).filter(({ id }) => id !== first.id) };
  });
}

const notOpened =
  ', which no key of ENCRYPTION_KEYS (or of DATA_DIR, without that setting) opens: set the keys, or the DATA_DIR, of the first start';

/** The report on the keys as lines of text. */
export function keyLines(keys: readonly KeyInUse[]): string[] {
  if (keys.length === 0) return ['Nothing is sealed yet'];
  return keys.flatMap(({ id, values, byColumn, opens }) => [
    `${id}: ${String(values)} values${opens === false ? notOpened : ''}`,
    ...Object.entries(byColumn).map(([column, count]) => `  ${column}: ${String(count)}`),
  ]);
}

/** Advice on the other keys as lines of text. */
export function otherKeyLines({ key, others }: Reencryption): string[] {
  if (others.length === 0) return [`All is sealed under ${key}: the other keys can be taken out of ENCRYPTION_KEYS`];
  return [
    ...others.map(
      ({ id, values, byColumn }) => `${id} still seals ${String(values)} values (${Object.keys(byColumn).join(', ')}): keep it`,
    ),
    'An instance that still seals under such a key has another order of ENCRYPTION_KEYS; set it right and run this again',
  ];
}

function lineOf({ table, column, seen, resealed, current, overtaken, unreadable }: Resealing): string {
  const counts = { seen, 'sealed anew': resealed, 'sealed so already': current, 'changed meanwhile and repeated': overtaken };
  const parts = Object.entries({ ...counts, 'not readable': unreadable }).map(([what, count]) => `${String(count)} ${what}`);
  return `${table}.${column}: ${parts.join(', ')}`;
}
