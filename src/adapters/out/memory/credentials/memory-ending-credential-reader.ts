import type { CredentialKind, CredentialSlot, CredentialValue } from '../../../../domain/credentials/credential';
import type { EndingCredential, EndingCredentialReader, EndingFilter } from '../../../../domain/problems/ports';
import type { MemoryRegistry } from '../partners/memory-registry';

/** Reads when the credentials of the partners in memory expire. */
export class MemoryEndingCredentialReader implements EndingCredentialReader {
  constructor(private readonly registry: MemoryRegistry) {}

  async list({ now, until, clientId, appId }: EndingFilter): Promise<readonly EndingCredential[]> {
    const found: EndingCredential[] = [];
    for (const partner of [...this.registry.hostApps.values(), ...this.registry.miniapps.values()]) {
      const own = partner.kind === 'host-app' ? clientId : appId;
      if ((clientId !== undefined || appId !== undefined) && own !== partner.id) continue;
      for (const [kind, slots] of Object.entries(partner.credentials) as [CredentialKind, object][]) {
        for (const [slot, value] of Object.entries(slots) as [CredentialSlot, CredentialValue][]) {
          const { validUntil, fingerprint, lastUsedAt } = value;
          if (validUntil === undefined || validUntil <= now || validUntil > until) continue;
          found.push({ partnerKind: partner.kind, partnerId: partner.id, kind, slot, fingerprint, validUntil, lastUsedAt });
        }
      }
    }
    return found.sort(byEnd).slice(0, 100);
  }
}

const textOf = ({ partnerId, kind }: EndingCredential): string => `${partnerId} ${kind}`;

const byEnd = (a: EndingCredential, b: EndingCredential): number => a.validUntil - b.validUntil || (textOf(a) < textOf(b) ? -1 : 1);
