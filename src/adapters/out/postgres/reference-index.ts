import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import { requireIds } from '../../../domain/shared/required-id';
import type { KeptKeyRow } from './kept-key.schema';
import { run } from './statement';

/** Finds sealed values: a keyed digest (HMAC-SHA-256) that reveals nothing to readers of a dump. */
export class ReferenceIndex {
  private readonly key: KeyObject;

  constructor(key: Uint8Array) {
    this.key = createSecretKey(key);
  }

  /** 32 bytes. Each text counts by itself: ('a', 'bc') and ('ab', 'c') differ. Throws MissingId where one is missing. */
  digest(...texts: string[]): Buffer {
    for (const text of texts) requireIds({ text });
    return createHmac('sha256', this.key).update(JSON.stringify(texts)).digest();
  }
}

/** By which the payments of a user are found; rows know their integration alone. */
export const paymentUserDigest = (index: ReferenceIndex, integrationId: string, reference: string): Buffer =>
  index.digest('payment-user', integrationId, reference);

/** By which miniapps' reports on a user of a host app are found. */
export const reportUserDigest = (index: ReferenceIndex, clientId: string, reference: string): Buffer =>
  index.digest('report-user', clientId, reference);

/** Where a kept key is sealed. */
export const keptKeyPlace = (name: string): string => `kept_keys.sealed:${name}`;

const keepKey = {
  name: 'kept-keys.keep',
  text: 'insert into kept_keys (name, sealed) values ($1, $2) on conflict (name) do nothing',
};
const keptKey = { name: 'kept-keys.find', text: 'select sealed from kept_keys where name = $1' };

/**
 * The index of this database. Its key is made at the first start and kept sealed, so that it outlives the encryption keys;
 * instances that start at once agree on one. Throws where the stored key does not open.
 */
export async function openReferenceIndex(db: DataSource, box: SecretBox): Promise<ReferenceIndex> {
  return new ReferenceIndex(await openKeptKey({ db, box, name: 'reference-index', make: () => randomBytes(32) }));
}

interface KeptKey {
  readonly db: DataSource;
  readonly box: SecretBox;
  readonly name: string;
  readonly make: () => Uint8Array;
}

/** A key of the service's own: made when it is needed first, then the same for all instances. Throws where it does not open. */
export async function openKeptKey({ db, box, name, make }: KeptKey): Promise<Uint8Array> {
  const place = keptKeyPlace(name);
  let [kept] = await run<Pick<KeptKeyRow, 'sealed'>>(db, keptKey, [name]);
  if (!kept) {
    await run(db, keepKey, [name, box.seal(make(), place)]);
    [kept] = await run<Pick<KeptKeyRow, 'sealed'>>(db, keptKey, [name]);
  }
  if (!kept) throw new Error(`The key ${name} was not kept`);
  return box.open(kept.sealed, place);
}
