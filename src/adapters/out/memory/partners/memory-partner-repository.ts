import type { CredentialKind, Credentials, CredentialSlots } from '../../../../domain/credentials/credential';
import { KeyTaken } from '../../../../domain/credentials/signing/key-rules';
import type { HostApp } from '../../../../domain/partners/host-app';
import type { Miniapp } from '../../../../domain/partners/miniapp';
import type {
  AuditEntry,
  CredentialChanges,
  HostAppRepository,
  MiniappRepository,
  PageRequest,
  PartnerChange,
  PartnerRepository,
} from '../../../../domain/partners/ports';
import { PartnerExists } from '../../../../domain/partners/registry-errors';
import {
  keysToCompare,
  publicKeysOf,
  requireShareable,
  schemesOf,
  type KeyHolder,
  type KeySharing,
  type KeyToCompare,
} from '../../../../domain/partners/key-sharing/key-sharing';
import { sharedKeyEntry } from '../../../../domain/partners/key-sharing/shared-key-entry';
import { deepFreeze } from '../../../../domain/shared/deep-freeze';
import { requireIds } from '../../../../domain/shared/required-id';
import type { MemoryRegistry } from './memory-registry';

/** Host apps or miniapps in memory. There is no `await` between read and write, so changes are atomic. */
class MemoryPartnerRepository<Partner extends HostApp | Miniapp> implements PartnerRepository<Partner, Partner['settings']> {
  constructor(
    private readonly registry: MemoryRegistry,
    private readonly kind: Partner['kind'],
    private readonly partners: Map<string, Partner>,
  ) {}

  async create(
    { id, settings, credentials }: { readonly id: string; readonly settings: Partner['settings']; readonly credentials: Credentials },
    audit: AuditEntry,
    sharing: KeySharing = 'none',
  ): Promise<Partner> {
    requireIds({ id });
    if (this.partners.has(id)) throw new PartnerExists(this.kind);
    const shared = this.newlyShared(id, { after: { settings, credentials: changed({}, credentials) }, sharing });
    this.note(audit, shared);
    return this.keep({ id, version: 1, settings, credentials: changed({}, credentials) });
  }

  async find(id: string): Promise<Partner | undefined> {
    requireIds({ id });
    return this.partners.get(id);
  }

  async list({ limit, after = '' }: PageRequest): Promise<readonly Partner[]> {
    const found = [...this.partners.values()].filter(({ id }) => id > after);
    return found.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  async listOf(ids: readonly string[]): Promise<readonly Partner[]> {
    return [...new Set(ids)].sort().flatMap((id) => this.partners.get(id) ?? []);
  }

  async update(id: string, change: (partner: Partner) => PartnerChange<Partner['settings']> | undefined): Promise<Partner | undefined> {
    requireIds({ id });
    const partner = this.partners.get(id);
    const made = partner && change(partner);
    if (!partner || !made) return partner;
    const credentials = changed(partner.credentials, made.credentials ?? {});
    const { settings, sharing = 'none' } = made;
    this.note(made.audit, this.newlyShared(id, { before: partner, after: { settings, credentials }, sharing }));
    return this.keep({ id, version: partner.version + 1, settings: made.settings, credentials });
  }

  async remove(id: string, audit: AuditEntry): Promise<boolean> {
    requireIds({ id });
    if (!this.partners.delete(id)) return false;
    for (const [name, { clientId, appId }] of this.registry.integrations) {
      if ((this.kind === 'host-app' ? clientId : appId) === id) this.registry.integrations.delete(name);
    }
    this.registry.audit.push(audit);
    return true;
  }

  async sharedKeys(id: string): Promise<ReadonlySet<string>> {
    requireIds({ id });
    const keys = [...publicKeysOf(this.partners.get(id)?.credentials ?? {}).keys()];
    return new Set(keys.filter((key) => this.othersWith(id, key).length > 0));
  }

  /** The keys that become shared. Throws KeyTaken and InvalidInput. */
  private newlyShared(id: string, { before, after, sharing }: KeyChange): readonly KeyToCompare[] {
    const own = schemesOf(after.settings);
    return keysToCompare(before, after).filter((key) => {
      if (key.isNew && this.all().some(({ credentials }) => holdsAsPlatform(credentials, key.publicKey))) throw new KeyTaken('platform');
      const others = this.othersWith(id, key.publicKey).map(({ settings }) => schemesOf(settings));
      return requireShareable({ key, own, others, sharing });
    });
  }

  private othersWith(id: string, publicKey: string): readonly (HostApp | Miniapp)[] {
    return this.all().filter((one) => (one.kind !== this.kind || one.id !== id) && publicKeysOf(one.credentials).has(publicKey));
  }

  private all(): readonly (HostApp | Miniapp)[] {
    return [...this.registry.hostApps.values(), ...this.registry.miniapps.values()];
  }

  private note(audit: AuditEntry, shared: readonly KeyToCompare[]): void {
    this.registry.audit.push(audit);
    if (shared.length > 0) this.registry.audit.push(sharedKeyEntry(audit, this.kind, shared));
  }

  private keep(partner: Pick<Partner, 'id' | 'version' | 'settings' | 'credentials'>): Partner {
    // A copy, so that later changes of the caller's record are not stored.
    const kept = deepFreeze({ ...partner, kind: this.kind, settings: structuredClone(partner.settings) }) as Partner;
    this.partners.set(kept.id, kept);
    return kept;
  }
}

interface KeyChange {
  readonly before?: KeyHolder;
  readonly after: KeyHolder;
  readonly sharing: KeySharing;
}

const holdsAsPlatform = ({ platform_key: slots = {} }: Credentials, key: string): boolean =>
  Object.values(slots).some(({ publicKey }) => publicKey === key);

/** Host apps in memory. */
export const memoryHostApps = (registry: MemoryRegistry): HostAppRepository =>
  new MemoryPartnerRepository<HostApp>(registry, 'host-app', registry.hostApps);

/** Miniapps in memory. */
export const memoryMiniapps = (registry: MemoryRegistry): MiniappRepository =>
  new MemoryPartnerRepository<Miniapp>(registry, 'miniapp', registry.miniapps);

/** Replaces the given slots and removes those whose value is `undefined`. A kind without slots is removed. */
function changed(present: Credentials, changes: CredentialChanges): Credentials {
  const credentials: Partial<Record<CredentialKind, CredentialSlots>> = { ...present };
  for (const [kind, slots] of Object.entries(changes) as [CredentialKind, CredentialChanges[CredentialKind]][]) {
    const next = Object.entries({ ...credentials[kind], ...slots }).filter(([, value]) => value !== undefined);
    if (next.length > 0) credentials[kind] = Object.fromEntries(next);
    else delete credentials[kind];
  }
  return credentials;
}
