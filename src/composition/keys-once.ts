import type { OpenedDatabase } from '../adapters/out/postgres/open-database';
import { resealColumn, type Resealing } from '../adapters/out/postgres/reencrypt';
import { countSeals } from '../adapters/out/postgres/seal-census';
import { sealedColumns } from '../adapters/out/postgres/sealed-columns';
import { AesSecretBox, keyIdOf, sealHeader } from '../adapters/out/secrets/secret-box';
import type { Settings } from '../config/settings';
import { withDatabase } from './with-database';

type Print = (line: string) => void;

/** Prints which key ids seal how many values, and where. Opens no value, so it needs no key. */
export async function listKeys(settings: Settings, print: Print): Promise<void> {
  await withDatabase(settings, async ({ db }) => {
    const keys = await sealsByKey(db);
    if (keys.size === 0) print('Nothing is sealed yet');
    for (const [id, places] of keys) {
      print(`${id}: ${String(totalOf(places))} values`);
      for (const [place, values] of places) print(`  ${place}: ${String(values)}`);
    }
  });
}

/**
 * Seals every value anew under the first key of ENCRYPTION_KEYS, while instances serve, and prints what became of them.
 * True: all are, and the other keys can go. Throws where there is no ring.
 */
export async function reencrypt(settings: Settings, print: Print): Promise<boolean> {
  const ring = settings.encryptionKeys;
  const [first] = ring ?? [];
  if (!ring || !first) throw new Error('ENCRYPTION_KEYS is needed: the key that shall seal everything first, the keys so far after it');
  const box = new AesSecretBox(ring);
  return withDatabase(settings, async ({ db }) => {
    print(`Sealing everything under ${first.id}`);
    for (const of of sealedColumns) print(lineOf(await resealColumn({ db, box, header: sealHeader(first.id) }, of)));
    const others = [...(await sealsByKey(db))].filter(([id]) => id !== first.id);
    for (const [id, places] of others)
      print(`${id} still seals ${String(totalOf(places))} values (${[...places.keys()].join(', ')}): keep it`);
    if (others.length === 0) print(`All is sealed under ${first.id}: the other keys can be taken out of ENCRYPTION_KEYS`);
    else print('An instance that still seals under such a key has another order of ENCRYPTION_KEYS; set it right and run this again');
    return others.length === 0;
  });
}

/** By key id, then by `table.column`. */
async function sealsByKey(db: OpenedDatabase['db']): Promise<Map<string, Map<string, number>>> {
  const keys = new Map<string, Map<string, number>>();
  for (const of of sealedColumns) {
    for (const { table, column, header, values } of await countSeals(db, of)) {
      const id = keyIdOf(header) ?? 'unknown';
      keys.set(id, (keys.get(id) ?? new Map<string, number>()).set(`${table}.${column}`, values));
    }
  }
  return keys;
}

const totalOf = (places: ReadonlyMap<string, number>): number => [...places.values()].reduce((sum, values) => sum + values, 0);

function lineOf({ table, column, seen, resealed, current, overtaken, unreadable }: Resealing): string {
  const counts = { seen, 'sealed anew': resealed, 'sealed so already': current, 'changed meanwhile and repeated': overtaken };
  const told = Object.entries({ ...counts, 'not readable': unreadable }).map(([what, count]) => `${String(count)} ${what}`);
  return `${table}.${column}: ${told.join(', ')}`;
}
