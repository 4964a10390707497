import type { IntegrationRecord } from '../../../../domain/partners/integrations/integration';
import type {
  IntegrationChange,
  IntegrationKey,
  IntegrationRepository,
  AuditEntry,
  PageRequest,
  Proposing,
} from '../../../../domain/partners/ports';
import { UnknownPartner } from '../../../../domain/partners/registry-errors';
import { deepFreeze } from '../../../../domain/shared/deep-freeze';
import { requireIds } from '../../../../domain/shared/required-id';
import type { MemoryRegistry } from '../partners/memory-registry';
import { pairName } from '../../../../domain/partners/integrations/pair-name';

/** Integrations in memory. */
export class MemoryIntegrationRepository implements IntegrationRepository {
  constructor(private readonly registry: MemoryRegistry) {}

  async put(
    key: IntegrationKey,
    id: string,
    change: (present: IntegrationRecord | undefined) => IntegrationChange | undefined,
  ): Promise<IntegrationRecord> {
    requireIds({ id });
    const name = integrationName(key);
    if (!this.registry.hostApps.has(key.clientId)) throw new UnknownPartner('host-app');
    if (!this.registry.miniapps.has(key.appId)) throw new UnknownPartner('miniapp');
    const present = this.registry.integrations.get(name);
    const changed = change(present);
    if (!changed) {
      if (!present) throw new Error('There is no integration, and none was made');
      return present;
    }
    const { clientId, appId } = key;
    const { settings, proposal, audit } = changed;
    const version = (present?.version ?? 0) + 1;
    const kept = { id: present?.id ?? id, clientId, appId, version, settings: structuredClone(settings), ...(proposal && { proposal }) };
    this.registry.integrations.set(name, deepFreeze(kept));
    this.registry.audit.push(audit);
    return kept;
  }

  async propose(key: IntegrationKey, id: string, { by, change }: Proposing): Promise<IntegrationRecord> {
    const own = by === 'host-app' ? 'clientId' : 'appId';
    const open = [...this.registry.integrations.values()].filter(
      (one) => one[own] === key[own] && one.proposal?.by === by && one.proposal.declinedAt === undefined,
    );
    return this.put(key, id, (present) => change(present, open.length));
  }

  async find(key: IntegrationKey): Promise<IntegrationRecord | undefined> {
    return this.registry.integrations.get(integrationName(key));
  }

  async list({ limit, after = '' }: PageRequest, { clientId, appId }: Partial<IntegrationKey>): Promise<readonly IntegrationRecord[]> {
    const start = sortKey(after);
    const found = [...this.registry.integrations].filter(
      ([name, integrationRecord]) =>
        sortKey(name) > start &&
        (clientId ?? integrationRecord.clientId) === integrationRecord.clientId &&
        (appId ?? integrationRecord.appId) === integrationRecord.appId,
    );
    found.sort(([a], [b]) => (sortKey(a) < sortKey(b) ? -1 : 1));
    return found.slice(0, limit).map(([, integrationRecord]) => integrationRecord);
  }

  async remove(key: IntegrationKey, entry: (present: IntegrationRecord) => AuditEntry): Promise<boolean> {
    const name = integrationName(key);
    const present = this.registry.integrations.get(name);
    if (!present) return false;
    this.registry.audit.push(entry(present));
    this.registry.integrations.delete(name);
    return true;
  }
}

/** The name of an integration in the registry. Throws MissingId. */
export function integrationName(key: IntegrationKey): string {
  requireIds({ clientId: key.clientId, appId: key.appId });
  return pairName(key);
}

/** Sorts by Client ID, then App ID. NUL sorts before every character of an id, so a longer Client ID comes after all of a shorter one. */
export const sortKey = (name: string): string => name.replace('/', '\0');
