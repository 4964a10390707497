import { createHash } from 'node:crypto';
import { IsNull, MoreThan, type DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { EvidenceLink } from '../../../../domain/evidence/evidence';
import type { EvidenceFilter, EvidenceLinkRepository, NewEvidence } from '../../../../domain/evidence/ports';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit/audit-statement';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import { openText, sealText } from '../sealing/sealed-text';
import { onConnection, transaction } from '../connection/statement';
import { evidenceLinkSchema, evidenceSealContext, type EvidenceLinkRow } from './evidence-link.schema';

/** An expired link is listed for 30 days. */
const prune = pruneStatement('evidence_links', 'expires_at', `expires_at < now() - interval '30 days'`);

/** Links to evidence in Postgres: tokens as digests, content sealed. Each change is one transaction with its audit row. */
export class PostgresEvidenceLinkRepository implements EvidenceLinkRepository {
  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretCipher }) {}

  async keep({ link, token, signed }: NewEvidence, audit: AuditEntry): Promise<void> {
    const { id, exchangeId, clientId = null, appId = null, createdBy, createdAt, expiresAt } = link;
    requireIds({ id, exchangeId, token });
    const sealed = sealText(this.deps.box, signed, evidenceSealContext({ id }));
    await transaction(this.deps.db, async (manager) => {
      await manager.insert(evidenceLinkSchema, {
        ...{ id, token_digest: digestOf(token), exchange_id: exchangeId, client_id: clientId, app_id: appId, sealed },
        ...{ created_by: createdBy, created_at: new Date(createdAt), expires_at: new Date(expiresAt) },
      });
      await appendAudit(manager, audit);
    });
  }

  async list(filter: EvidenceFilter, { limit, after }: PageRequest): Promise<readonly EvidenceLink[]> {
    const rows = await onConnection(this.deps.db, (manager) => {
      const query = manager
        .createQueryBuilder(evidenceLinkSchema, 'link')
        .setFindOptions({ where: columnsOf(filter), order: { created_at: 'DESC', id: 'DESC' }, take: limit });
      if (after === undefined) return query.getMany();
      const last = query.subQuery().select(['last.created_at', 'last.id']).from(evidenceLinkSchema, 'last').where('last.id = :after');
      return query.andWhere(`(link.created_at, link.id) < ${last.getQuery()}`, { after }).getMany();
    });
    return rows.map(linkFrom);
  }

  async find(id: string): Promise<EvidenceLink | undefined> {
    requireIds({ id });
    const row = await onConnection(this.deps.db, (manager) => manager.findOneBy(evidenceLinkSchema, { id }));
    return row ? linkFrom(row) : undefined;
  }

  async revoke(id: string, at: number, audit: AuditEntry): Promise<EvidenceLink | undefined> {
    requireIds({ id });
    return transaction(this.deps.db, async (manager) => {
      const { affected } = await manager.update(evidenceLinkSchema, { id, revoked_at: IsNull() }, { revoked_at: new Date(at) });
      if (affected) await appendAudit(manager, audit);
      const row = await manager.findOneBy(evidenceLinkSchema, { id });
      return row ? linkFrom(row) : undefined;
    });
  }

  async open(token: string, at: number, audit: (opened: EvidenceLink) => AuditEntry): Promise<string | undefined> {
    requireIds({ token });
    const now = new Date(at);
    return transaction(this.deps.db, async (manager) => {
      const updated = await manager.update(
        evidenceLinkSchema,
        { token_digest: digestOf(token), revoked_at: IsNull(), expires_at: MoreThan(now) },
        { opened: () => 'opened + 1', opened_at: now },
        { returning: '*' },
      );
      const [row] = updated.raw as EvidenceLinkRow[];
      if (!row) return undefined;
      await appendAudit(manager, audit(linkFrom(row)));
      return openText(this.deps.box, row.sealed, evidenceSealContext(row));
    });
  }

  /** Removes links that expired more than 30 days ago; resolves to their number. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();

const columnsOf = ({ exchangeId, clientId, appId }: EvidenceFilter) => ({
  ...(exchangeId !== undefined && { exchange_id: exchangeId }),
  ...(clientId !== undefined && { client_id: clientId }),
  ...(appId !== undefined && { app_id: appId }),
});

const linkFrom = (row: Omit<EvidenceLinkRow, 'token_digest' | 'sealed'>): EvidenceLink => ({
  id: row.id,
  exchangeId: row.exchange_id,
  clientId: row.client_id ?? undefined,
  appId: row.app_id ?? undefined,
  createdBy: row.created_by,
  createdAt: row.created_at.getTime(),
  expiresAt: row.expires_at.getTime(),
  revokedAt: row.revoked_at?.getTime(),
  opened: row.opened,
  openedAt: row.opened_at?.getTime(),
});
