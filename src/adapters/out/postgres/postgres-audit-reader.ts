import type { DataSource } from 'typeorm';
import type { AuditFilter, AuditReader, AuditRecord, PageRequest } from '../../../domain/partners/ports';
import { auditRecordFrom, type AuditRow } from './audit-entry.schema';
import { filteredStatement, type Conditions } from './filtered-statement';
import { run } from './statement';

// Ids are letters, digits, dashes and underscores: nothing that a pattern reads otherwise.
const conditions: Conditions<AuditFilter & { after?: string }> = {
  clientId: `subject ~ ('^(host-app:' || ? || '$|integration:' || ? || '/|delivery-lane:hostapp:' || ? || ':)')`,
  appId: `subject ~ ('^(miniapp:' || ? || '$|integration:[^/]+/' || ? || '$|delivery-lane:miniapp:' || ? || ':)')`,
  subject: 'subject = ?',
  action: 'action = ?',
  actor: 'actor = ?',
  from: 'at >= to_timestamp(?::double precision / 1000)',
  to: 'at < to_timestamp(?::double precision / 1000)',
  after: 'id < ?::bigint',
};

const list = {
  name: 'audit.list',
  select: 'select id, at, actor, action, subject, before, after, request_id, hash from audit_log',
  end: 'order by id desc limit ?',
};

/** Reads the audit trail, newest first. */
export class PostgresAuditReader implements AuditReader {
  constructor(private readonly db: DataSource) {}

  async list(filter: AuditFilter, { limit, after }: PageRequest): Promise<readonly AuditRecord[]> {
    // A cursor that is no number of ours was never handed out: there is nothing after it.
    if (after !== undefined && !/^[0-9]{1,18}$/.test(after)) return [];
    const { statement, values } = filteredStatement(list, conditions, { ...filter, ...(after !== undefined && { after }) });
    return (await run<AuditRow>(this.db, statement, [...values, limit])).map(auditRecordFrom);
  }
}
