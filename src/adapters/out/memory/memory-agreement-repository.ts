import type { Agreement } from '../../../domain/partners/integration';
import type {
  AgreementChange,
  AgreementKey,
  AgreementRepository,
  AuditEntry,
  PageRequest,
  Proposing,
} from '../../../domain/partners/ports';
import { UnknownPartner } from '../../../domain/partners/registry-errors';
import { deepFreeze } from '../../../domain/shared/deep-freeze';
import { requireIds } from '../../../domain/shared/required-id';
import type { MemoryRegistry } from './memory-registry';
import { pairName } from '../../../domain/partners/pair-name';

/** Integrations in memory. */
export class MemoryAgreementRepository implements AgreementRepository {
  constructor(private readonly registry: MemoryRegistry) {}

  async put(key: AgreementKey, id: string, change: (present: Agreement | undefined) => AgreementChange | undefined): Promise<Agreement> {
    requireIds({ id });
    const name = agreementName(key);
    if (!this.registry.hostApps.has(key.clientId)) throw new UnknownPartner('host-app');
    if (!this.registry.miniapps.has(key.appId)) throw new UnknownPartner('miniapp');
    const present = this.registry.agreements.get(name);
    const changed = change(present);
    if (!changed) {
      if (!present) throw new Error('There is no agreement, and none was made');
      return present;
    }
    const { clientId, appId } = key;
    const { settings, proposal, audit } = changed;
    const version = (present?.version ?? 0) + 1;
    const kept = { id: present?.id ?? id, clientId, appId, version, settings: structuredClone(settings), ...(proposal && { proposal }) };
    this.registry.agreements.set(name, deepFreeze(kept));
    this.registry.audit.push(audit);
    return kept;
  }

  async propose(key: AgreementKey, id: string, { by, change }: Proposing): Promise<Agreement> {
    const own = by === 'host-app' ? 'clientId' : 'appId';
    const open = [...this.registry.agreements.values()].filter(
      (one) => one[own] === key[own] && one.proposal?.by === by && one.proposal.declinedAt === undefined,
    );
    return this.put(key, id, (present) => change(present, open.length));
  }

  async find(key: AgreementKey): Promise<Agreement | undefined> {
    return this.registry.agreements.get(agreementName(key));
  }

  async list({ limit, after = '' }: PageRequest, { clientId, appId }: Partial<AgreementKey>): Promise<readonly Agreement[]> {
    const start = sortKey(after);
    const found = [...this.registry.agreements].filter(
      ([name, agreement]) =>
        sortKey(name) > start && (clientId ?? agreement.clientId) === agreement.clientId && (appId ?? agreement.appId) === agreement.appId,
    );
    found.sort(([a], [b]) => (sortKey(a) < sortKey(b) ? -1 : 1));
    return found.slice(0, limit).map(([, agreement]) => agreement);
  }

  async remove(key: AgreementKey, entry: (present: Agreement) => AuditEntry): Promise<boolean> {
    const name = agreementName(key);
    const present = this.registry.agreements.get(name);
    if (!present) return false;
    this.registry.audit.push(entry(present));
    this.registry.agreements.delete(name);
    return true;
  }
}

/** The name of an agreement in the registry. Throws MissingId. */
export function agreementName(key: AgreementKey): string {
  requireIds({ clientId: key.clientId, appId: key.appId });
  return pairName(key);
}

/** By Client ID, then App ID: below every character of an id, so that a longer Client ID comes after all of a shorter one. */
export const sortKey = (name: string): string => name.replace('/', '\0');
