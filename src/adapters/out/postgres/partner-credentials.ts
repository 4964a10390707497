import type { EntityManager } from 'typeorm';
import type { CredentialKind, CredentialSlot, CredentialValue } from '../../../domain/credentials/credential';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { CredentialChanges } from '../../../domain/partners/ports';
import type { PartnerKind } from '../../../domain/partners/registry-errors';
import { credentialPlace, type CredentialRow } from './partner.schema';
import { sealText } from './sealed-text';
import { runIn, type Statement } from './statement';

const put: Statement = {
  name: 'partner-credentials.put',
  text: `
    insert into partner_credentials
      (partner_kind, partner_id, kind, slot, sealed, public_key, fingerprint, created_at, valid_until, last_used_at, proven_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    on conflict (partner_kind, partner_id, kind, slot) do update set
      sealed = excluded.sealed, public_key = excluded.public_key, fingerprint = excluded.fingerprint,
      created_at = excluded.created_at, valid_until = excluded.valid_until, last_used_at = excluded.last_used_at,
      proven_at = excluded.proven_at`,
};

const removeOne: Statement = {
  name: 'partner-credentials.remove',
  text: 'delete from partner_credentials where partner_kind = $1 and partner_id = $2 and kind = $3 and slot = $4',
};

const removeAll: Statement = {
  name: 'partner-credentials.remove-all',
  text: 'delete from partner_credentials where partner_kind = $1 and partner_id = $2',
};

/** Writes the credentials of one kind of partner: values sealed, fingerprints and public keys readable. */
export class PartnerCredentials {
  constructor(
    private readonly kind: PartnerKind,
    private readonly box: SecretBox,
  ) {}

  /** Writes the slots that are named; a slot that is `undefined` is removed. */
  async apply(manager: EntityManager, partnerId: string, changes: CredentialChanges): Promise<void> {
    // Object.entries widens the names of members; the record above types them.
    for (const [kind, slots] of Object.entries(changes) as [CredentialKind, CredentialChanges[CredentialKind]][]) {
      for (const [slot, value] of Object.entries(slots ?? {}) as [CredentialSlot, CredentialValue | undefined][]) {
        if (value) await this.put(manager, { partner_kind: this.kind, partner_id: partnerId, kind, slot }, value);
        else await runIn(manager, removeOne, [this.kind, partnerId, kind, slot]);
      }
    }
  }

  async removeAll(manager: EntityManager, partnerId: string): Promise<void> {
    await runIn(manager, removeAll, [this.kind, partnerId]);
  }

  private async put(manager: EntityManager, key: CredentialKey, value: CredentialValue): Promise<void> {
    await runIn(manager, put, [
      key.partner_kind,
      key.partner_id,
      key.kind,
      key.slot,
      sealText(this.box, value.secret.reveal(), credentialPlace(key)),
      value.publicKey ?? null,
      value.fingerprint,
      new Date(value.createdAt),
      dateOf(value.validUntil),
      dateOf(value.lastUsedAt),
      dateOf(value.provenAt),
    ]);
  }
}

type CredentialKey = Pick<CredentialRow, 'partner_kind' | 'partner_id' | 'kind' | 'slot'>;

const dateOf = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at));
