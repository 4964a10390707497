import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { EvidenceLink } from '../../../domain/evidence/evidence';
import type { EvidenceFilter, EvidenceLinks, NewEvidence } from '../../../domain/evidence/ports';
import type { AuditEntry, PageRequest } from '../../../domain/partners/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { appendAudit } from './audit-statement';
import { evidencePlace, type EvidenceLinkRow } from './evidence-link.schema';
import { filteredStatement, type Conditions } from './filtered-statement';
import { pruneExpired, pruneStatement } from './prune-expired';
import { openText, sealText } from './sealed-text';
import { run, runIn, transaction, type Statement } from './statement';

const shown = 'id, exchange_id, client_id, app_id, created_by, created_at, expires_at, revoked_at, opened, opened_at';
const select = `select ${shown} from evidence_links`;

const insert: Statement = {
  name: 'evidence.keep',
  text: `
    insert into evidence_links (id, token_digest, exchange_id, client_id, app_id, sealed, created_by, created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};

const find: Statement = { name: 'evidence.find', text: `${select} where id = $1` };

const revoke: Statement = {
  name: 'evidence.revoke',
  text: `update evidence_links set revoked_at = $2 where id = $1 and revoked_at is null returning id`,
};

const open: Statement = {
  name: 'evidence.open',
  text: `
    update evidence_links set opened = opened + 1, opened_at = $2
    where token_digest = $1 and revoked_at is null and expires_at > $2
    returning ${shown}, sealed`,
};

const conditions: Conditions<EvidenceFilter & { after?: string }> = {
  exchangeId: 'exchange_id = ?',
  clientId: 'client_id = ?',
  appId: 'app_id = ?',
  after: '(created_at, id) < (select created_at, id from evidence_links where id = ?)',
};

/** For as long a link is listed after it has expired. */
const prune = pruneStatement('evidence_links', 'expires_at', `expires_at < now() - interval '30 days'`);

type ShownRow = Omit<EvidenceLinkRow, 'token_digest' | 'sealed'>;

/** Links to evidence in Postgres: tokens as digests, what they show sealed. */
export class PostgresEvidenceLinks implements EvidenceLinks {
  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretBox }) {}

  async keep({ link, token, signed }: NewEvidence, audit: AuditEntry): Promise<void> {
    const { id, exchangeId, clientId = null, appId = null, createdBy, createdAt, expiresAt } = link;
    requireIds({ id, exchangeId, token });
    const sealed = sealText(this.deps.box, signed, evidencePlace({ id }));
    const times = [new Date(createdAt), new Date(expiresAt)];
    await transaction(this.deps.db, async (manager) => {
      await runIn(manager, insert, [id, digestOf(token), exchangeId, clientId, appId, sealed, createdBy, ...times]);
      await appendAudit(manager, audit);
    });
  }

  async list(filter: EvidenceFilter, { limit, after }: PageRequest): Promise<readonly EvidenceLink[]> {
    const list = { name: 'evidence.list', select, end: 'order by created_at desc, id desc limit ?' };
    const { statement, values } = filteredStatement(list, conditions, { ...filter, ...(after !== undefined && { after }) });
    return (await run<ShownRow>(this.deps.db, statement, [...values, limit])).map(linkFrom);
  }

  async find(id: string): Promise<EvidenceLink | undefined> {
    requireIds({ id });
    const [row] = await run<ShownRow>(this.deps.db, find, [id]);
    return row && linkFrom(row);
  }

  async revoke(id: string, at: number, audit: AuditEntry): Promise<EvidenceLink | undefined> {
    requireIds({ id });
    return transaction(this.deps.db, async (manager) => {
      const revoked = await runIn(manager, revoke, [id, new Date(at)]);
      if (revoked.length > 0) await appendAudit(manager, audit);
      const [row] = await runIn<ShownRow>(manager, find, [id]);
      return row && linkFrom(row);
    });
  }

  async open(token: string, at: number, audit: (opened: EvidenceLink) => AuditEntry): Promise<string | undefined> {
    requireIds({ token });
    return transaction(this.deps.db, async (manager) => {
      const [row] = await runIn<EvidenceLinkRow>(manager, open, [digestOf(token), new Date(at)]);
      if (!row) return undefined;
      await appendAudit(manager, audit(linkFrom(row)));
      return openText(this.deps.box, row.sealed, evidencePlace(row));
    });
  }

  /** Removes what has expired long ago; resolves to the number of rows. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();

const linkFrom = (row: ShownRow): EvidenceLink => ({
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
