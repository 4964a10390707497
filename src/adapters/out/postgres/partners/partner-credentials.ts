import type { EntityManager } from 'typeorm';
import type { CredentialKind, CredentialSlot, CredentialValue } from '../../../../domain/credentials/credential';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { CredentialChanges } from '../../../../domain/partners/ports';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import { sealText } from '../sealing/sealed-text';
import { credentialSealContext, credentialSchema, type CredentialRow } from './partner.schema';

/** Writes the credentials of one kind of partner. Values are sealed; fingerprints and public keys stay readable. */
export class PartnerCredentials {
  constructor(
    private readonly kind: PartnerKind,
    private readonly box: SecretCipher,
  ) {}

  /** Writes the given slots and removes those whose value is `undefined`. */
  async apply(manager: EntityManager, partnerId: string, changes: CredentialChanges): Promise<void> {
    // Object.entries loses the key types, so the cast restores them.
    for (const [kind, slots] of Object.entries(changes) as [CredentialKind, CredentialChanges[CredentialKind]][]) {
      for (const [slot, value] of Object.entries(slots ?? {}) as [CredentialSlot, CredentialValue | undefined][]) {
        const key = { partner_kind: this.kind, partner_id: partnerId, kind, slot };
        if (value) await this.put(manager, key, value);
        else await manager.delete(credentialSchema, key);
      }
    }
  }

  async removeAll(manager: EntityManager, partnerId: string): Promise<void> {
    await manager.delete(credentialSchema, { partner_kind: this.kind, partner_id: partnerId });
  }

  private async put(manager: EntityManager, key: CredentialKey, value: CredentialValue): Promise<void> {
    const row: CredentialRow = {
      ...key,
      sealed: sealText(this.box, value.secret.reveal(), credentialSealContext(key)),
      public_key: value.publicKey ?? null,
      fingerprint: value.fingerprint,
      created_at: new Date(value.createdAt),
      valid_until: dateOf(value.validUntil),
      last_used_at: dateOf(value.lastUsedAt),
      proven_at: dateOf(value.provenAt),
    };
    await manager.upsert(credentialSchema, row, Object.keys(key));
  }
}

type CredentialKey = Pick<CredentialRow, 'partner_kind' | 'partner_id' | 'kind' | 'slot'>;

const dateOf = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at));
