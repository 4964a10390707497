import type { DataSource } from 'typeorm';
import type { AuditFilter, AuditReader, AuditRecord, PageRequest } from '../../../../domain/partners/ports';
import { auditRecordFrom, subjectAppId, subjectClientId, type AuditRow } from './audit-entry.schema';
import { filteredStatement, type Conditions } from '../connection/filtered-statement';
import { run } from '../connection/statement';

const conditions: Conditions<AuditFilter & { after?: string }> = {
  clientId: `${subjectClientId} = ?`,
  appId: `${subjectAppId} = ?`,
  subject: 'subject = ?',
  action: 'action = ?',
  actor: 'actor = ?',
  from: 'at >= to_timestamp(?::double precision / 1000)',
  to: 'at < to_timestamp(?::double precision / 1000)',
  after: '(at, id) < (select at, id from audit_log where id = ?::bigint)',
};

const list = {
  select: 'select id, at, actor, action, subject, before, after, request_id, hash from audit_log',
  end: 'order by at desc, id desc limit ?',
};

/** Reads the audit trail, newest first. */
export class PostgresAuditReader implements AuditReader {
  constructor(private readonly db: DataSource) {}

  async list(filter: AuditFilter, { limit, after }: PageRequest): Promise<readonly AuditRecord[]> {
    // A cursor that is not a number was never issued, so the page is empty.
    if (after !== undefined && !/^[0-9]{1,18}$/.test(after)) return [];
    const { statement, values } = filteredStatement(list, conditions, { ...filter, ...(after !== undefined && { after }) });
    return (await run<AuditRow>(this.db, statement, [...values, limit])).map(auditRecordFrom);
  }
}
