import type { EntityManager } from 'typeorm';
import type { CredentialKind, CredentialValue } from '../../../domain/credentials/credential';
import { KeyTaken } from '../../../domain/credentials/key-rules';
import type { CredentialChanges } from '../../../domain/partners/ports';
import type { PartnerKind } from '../../../domain/partners/registry-errors';
import { runIn, type Statement } from './statement';

const lockKey: Statement = { name: 'partner-keys.lock', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' };

const findOwner: Statement = {
  name: 'partner-keys.owner',
  text: `
    select kind from partner_credentials
    where kind in ('partner_public_key', 'platform_key') and fingerprint = $1 and public_key = $2
      and not (kind = 'partner_public_key' and partner_kind = $3 and partner_id = $4)
    order by kind desc limit 1`,
};

/** Whose changed credentials are looked at. */
export interface KeyOwner {
  readonly kind: PartnerKind;
  readonly id: string;
}

/**
 * Throws KeyTaken where a public key among the changes is the platform's, or another partner's, whatever its slot. Who stores
 * the same key elsewhere at this moment waits for this transaction, and then sees what it wrote.
 */
export async function requireOwnKeys(manager: EntityManager, { kind, id }: KeyOwner, changes: CredentialChanges): Promise<void> {
  const slots = Object.values<CredentialValue | undefined>(changes.partner_public_key ?? {});
  const byKey = new Map(slots.flatMap((value) => (value?.publicKey === undefined ? [] : [[value.publicKey, value.fingerprint]])));
  for (const [publicKey, fingerprint] of [...byKey].sort()) {
    await runIn(manager, lockKey, [`partner_credentials.public_key:${publicKey}`]);
    const [owner] = await runIn<{ kind: CredentialKind }>(manager, findOwner, [fingerprint, publicKey, kind, id]);
    if (owner) throw new KeyTaken(owner.kind === 'platform_key');
  }
}
