import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { UserKey } from '../../../../domain/sso/user-data';
import type { KeptKeyRow } from './kept-key.schema';
import { run } from '../connection/statement';

/** A blind index for sealed values: a keyed digest (HMAC-SHA-256) that reveals nothing to readers of a database dump. */
export class ReferenceIndex {
  private readonly key: KeyObject;

  constructor(key: Uint8Array) {
    this.key = createSecretKey(key);
  }

  /** Returns 32 bytes. The boundaries between texts count: ('a', 'bc') and ('ab', 'c') differ. Throws MissingId when a text is missing. */
  digest(...texts: string[]): Buffer {
    for (const text of texts) requireIds({ text });
    return createHmac('sha256', this.key).update(JSON.stringify(texts)).digest();
  }
}

/** The digest that finds a user of a host app, with tokens, consents, payments and reports (ADR 071). */
export const userDigest = (index: ReferenceIndex, { clientId, reference }: UserKey): Buffer => index.digest('user', clientId, reference);

/** The seal context of a user's reference, the same in each table that has it. */
export const referenceSealContext = (digest: Buffer): string => `reference:${digest.toString('hex')}`;

/** The seal context of a kept key. */
export const keptKeySealContext = (name: string): string => `kept_keys.sealed:${name}`;

const keepKey = {
  name: 'kept-keys.keep',
  text: 'insert into kept_keys (name, sealed) values ($1, $2) on conflict (name) do nothing',
};
const keptKey = { name: 'kept-keys.find', text: 'select sealed from kept_keys where name = $1' };

/**
 * The index of this database. Its key is made at the first start and stored sealed, so that it outlives the encryption keys. Instances that
 * start at the same time agree on one key. Throws when the stored key cannot be decrypted.
 */
export async function openReferenceIndex(db: DataSource, box: SecretCipher): Promise<ReferenceIndex> {
  return new ReferenceIndex(await openKeptKey({ db, box, name: 'reference-index', make: () => randomBytes(32) }));
}

interface KeptKey {
  readonly db: DataSource;
  readonly box: SecretCipher;
  readonly name: string;
  readonly make: () => Uint8Array;
}

/** A key of the service: created on first use, then the same for all instances. Throws when it cannot be decrypted. */
export async function openKeptKey({ db, box, name, make }: KeptKey): Promise<Uint8Array> {
  const context = keptKeySealContext(name);
  let [kept] = await run<Pick<KeptKeyRow, 'sealed'>>(db, keptKey, [name]);
  if (!kept) {
    await run(db, keepKey, [name, box.seal(make(), context)]);
    [kept] = await run<Pick<KeptKeyRow, 'sealed'>>(db, keptKey, [name]);
  }
  if (!kept) throw new Error(`The key ${name} was not kept`);
  return box.open(kept.sealed, context);
}
