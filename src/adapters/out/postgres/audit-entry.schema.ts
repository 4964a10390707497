import { EntitySchema } from 'typeorm';
import type { AuditRecord } from '../../../domain/partners/ports';

/** A row of audit_log. The database refuses to change or delete one. */
export interface AuditRow {
  id: string;
  at: Date;
  actor: string;
  action: string;
  subject: string;
  before: unknown;
  after: unknown;
  request_id: string;
}

export const auditSchema = new EntitySchema<AuditRow>({
  name: 'AuditEntry',
  tableName: 'audit_log',
  columns: {
    id: { type: 'bigint', primary: true, generated: 'increment', primaryKeyConstraintName: 'audit_log_pkey' },
    at: { type: 'timestamptz' },
    actor: { type: 'text' },
    action: { type: 'text' },
    subject: { type: 'text' },
    before: { type: 'jsonb', nullable: true },
    after: { type: 'jsonb', nullable: true },
    request_id: { type: 'text' },
  },
  indices: [
    { name: 'audit_log_by_subject', columns: ['subject', 'id'] },
    { name: 'audit_log_by_action', columns: ['action', 'id'] },
    { name: 'audit_log_by_time', columns: ['at'] },
  ],
});

export const auditRecordFrom = ({ id, at, actor, action, subject, before, after, request_id: requestId }: AuditRow): AuditRecord => ({
  id,
  at: at.getTime(),
  actor,
  action,
  subject,
  ...(before === null ? {} : { before }),
  ...(after === null ? {} : { after }),
  requestId,
});
