import type { EvidenceLink } from '../../../../domain/evidence/evidence';
import type { EvidenceFilter, EvidenceLinkRepository, NewEvidence } from '../../../../domain/evidence/ports';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';

/** Links to evidence in memory, with the audit entries of their changes, oldest first. */
export class MemoryEvidenceLinkRepository implements EvidenceLinkRepository {
  readonly audit: AuditEntry[] = [];
  private readonly kept = new Map<string, NewEvidence>();

  async keep(evidence: NewEvidence, audit: AuditEntry): Promise<void> {
    this.write(evidence, audit);
  }

  async list({ exchangeId, clientId, appId }: EvidenceFilter, { limit, after }: PageRequest): Promise<readonly EvidenceLink[]> {
    const newestFirst = this.links.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    const from = after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && from === 0) return [];
    return newestFirst
      .slice(from)
      .filter((link) =>
        [exchangeId ?? link.exchangeId, clientId ?? link.clientId, appId ?? link.appId].every(
          (one, i) => one === [link.exchangeId, link.clientId, link.appId][i],
        ),
      )
      .slice(0, limit);
  }

  async find(id: string): Promise<EvidenceLink | undefined> {
    return this.kept.get(id)?.link;
  }

  async revoke(id: string, at: number, audit: AuditEntry): Promise<EvidenceLink | undefined> {
    const found = this.kept.get(id);
    if (found && found.link.revokedAt === undefined) this.write({ ...found, link: { ...found.link, revokedAt: at } }, audit);
    return this.kept.get(id)?.link;
  }

  async open(token: string, at: number, audit: (opened: EvidenceLink) => AuditEntry): Promise<string | undefined> {
    const found = [...this.kept.values()].find((one) => one.token === token);
    if (!found || found.link.revokedAt !== undefined || found.link.expiresAt <= at) return undefined;
    const link = { ...found.link, opened: found.link.opened + 1, openedAt: at };
    this.write({ ...found, link }, audit(link));
    return found.signed;
  }

  private get links(): EvidenceLink[] {
    return [...this.kept.values()].map(({ link }) => link);
  }

  private write(evidence: NewEvidence, audit: AuditEntry): void {
    this.kept.set(evidence.link.id, evidence);
    this.audit.push(audit);
  }
}
