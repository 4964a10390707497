import { type CredentialSlot, type CredentialValue, isInGrace } from '../../../../domain/credentials/credential';
import type { PublishedKey, PublishedKeyReader } from '../../../../domain/credentials/ports';
import type { HostApp } from '../../../../domain/partners/host-app';
import type { Miniapp } from '../../../../domain/partners/miniapp';
import type { MemoryRegistry } from '../partners/memory-registry';

/** The platform's public keys in memory. */
export class MemoryPublishedKeyReader implements PublishedKeyReader {
  constructor(private readonly registry: MemoryRegistry) {}

  async list(now: number): Promise<readonly PublishedKey[]> {
    const partners = [...this.registry.hostApps.values(), ...this.registry.miniapps.values()];
    return partners.flatMap((partner) => keysOf(partner, now)).sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
  }
}

function keysOf({ kind: partner, id, credentials, settings }: HostApp | Miniapp, now: number): PublishedKey[] {
  // Object.entries loses the key types, so the cast restores them.
  const slots = Object.entries(credentials.platform_key ?? {}) as [CredentialSlot, CredentialValue][];
  return slots.flatMap(([slot, value]) => {
    const { publicKey, fingerprint, createdAt, validUntil } = value;
    if (publicKey === undefined || !isInGrace(value, now)) return [];
    const until = validUntil === undefined ? {} : { validUntil };
    return [{ partner, id, slot, publicKey, fingerprint, createdAt, ...until, hash: settings.signature.hash }];
  });
}
