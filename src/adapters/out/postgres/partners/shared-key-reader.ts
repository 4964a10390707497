import type { DataSource, EntityManager } from 'typeorm';
import type { CredentialKind } from '../../../../domain/credentials/credential';
import { KeyTaken } from '../../../../domain/credentials/signing/key-rules';
import { defaultSignatureSettings, type SignatureSettings } from '../../../../domain/credentials/signing/signature-settings';
import {
  keysToCompare,
  requireShareable,
  schemesOf,
  type KeyHolder,
  type KeySharing,
  type KeyToCompare,
} from '../../../../domain/partners/key-sharing/key-sharing';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import { run, runIn, type Statement } from '../connection/statement';

const lockKey: Statement = { name: 'partner-keys.lock', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' };

const findHolders: Statement = {
  name: 'partner-keys.holders',
  text: `
    select c.kind, s.settings -> 'signature' as signature, s.settings -> 'signatureDryRun' -> 'signature' as tried
    from partner_credentials c
    cross join lateral (
      select settings from host_apps where c.partner_kind = 'host-app' and id = c.partner_id
      union all
      select settings from miniapps where c.partner_kind = 'miniapp' and id = c.partner_id) s
    where c.kind in ('partner_public_key', 'platform_key') and c.fingerprint = $1 and c.public_key = $2
      and not (c.kind = 'partner_public_key' and c.partner_kind = $3 and c.partner_id = $4)`,
};

const findShared: Statement = {
  name: 'partner-keys.shared',
  text: `
    select distinct c.public_key from partner_credentials c
    where c.partner_kind = $1 and c.partner_id = $2 and c.kind = 'partner_public_key' and exists (
      select from partner_credentials other
      where other.kind = 'partner_public_key' and other.fingerprint = c.fingerprint and other.public_key = c.public_key
        and not (other.partner_kind = $1 and other.partner_id = $2))`,
};

/** The partner that owns the keys. */
export interface KeyOwner {
  readonly kind: PartnerKind;
  readonly id: string;
}

interface HolderRow {
  readonly kind: CredentialKind;
  readonly signature: Partial<SignatureSettings> | null;
  readonly tried: Partial<SignatureSettings> | null;
}

/** A partner before and after a change. `before` is absent for a new partner. */
export interface KeyChange {
  readonly before?: KeyHolder | undefined;
  readonly after: KeyHolder;
  readonly sharing?: KeySharing | undefined;
}

/**
 * The keys that become shared by the change. Throws KeyTaken and InvalidInput as `requireShareable` does, and KeyTaken when a new key is
 * the platform's. A concurrent transaction that stores the same key waits for this one and then sees its rows.
 */
export async function newlyShared(
  manager: EntityManager,
  { kind, id }: KeyOwner,
  { before, after, sharing = 'none' }: KeyChange,
): Promise<readonly KeyToCompare[]> {
  const shared: KeyToCompare[] = [];
  for (const key of keysToCompare(before, after)) {
    await runIn(manager, lockKey, [`partner_credentials.public_key:${key.publicKey}`]);
    const holders = await runIn<HolderRow>(manager, findHolders, [key.fingerprint, key.publicKey, kind, id]);
    if (key.isNew && holders.some((holder) => holder.kind === 'platform_key')) throw new KeyTaken('platform');
    const others = holders.filter((holder) => holder.kind === 'partner_public_key').map(schemesOfRow);
    if (requireShareable({ key, own: schemesOf(after.settings), others, sharing })) shared.push(key);
  }
  return shared;
}

/** The public keys of a partner that another partner has too. */
export async function sharedKeys(db: DataSource, { kind, id }: KeyOwner): Promise<ReadonlySet<string>> {
  const rows = await run<{ public_key: string }>(db, findShared, [kind, id]);
  return new Set(rows.map((row) => row.public_key));
}

/** Members that a row of an earlier release lacks get their defaults. */
const schemesOfRow = ({ signature, tried }: HolderRow): readonly SignatureSettings[] =>
  [signature ?? {}, ...(tried ? [tried] : [])]
    .map((stored): SignatureSettings => ({ ...defaultSignatureSettings, ...stored }))
    .filter(({ algorithm }) => algorithm !== 'HMAC');
