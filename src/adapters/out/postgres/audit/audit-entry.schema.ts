import { EntitySchema } from 'typeorm';
import type { AuditRecord } from '../../../../domain/partners/ports';

/** A row of audit_log. The database chains it to the previous row, and refuses to change or delete it. */
export interface AuditRow {
  id: string;
  at: Date;
  actor: string;
  action: string;
  subject: string;
  before: unknown;
  after: unknown;
  request_id: string;
  /** The database computes both hashes; an insert gives neither. */
  previous_hash: string;
  hash: string;
}

/** The expression for `subjectClientId` or `subjectAppId`. It must match the expression of the indexes of audit_log exactly. */
const partnerIn = (ofPartner: string, ofIntegration: string, queue: string): string =>
  `(case split_part(subject, ':', 1) when '${ofPartner}' then split_part(subject, ':', 2) when 'integration' then ${ofIntegration} ` +
  `when 'endpoint-queue' then case split_part(subject, ':', 2) when '${queue}' then split_part(subject, ':', 3) end end)`;

/** The SQL expression for the host app of an entry; null when there is none. */
export const subjectClientId = partnerIn('host-app', `split_part(split_part(subject, ':', 2), '/', 1)`, 'hostapp');
/** The SQL expression for the miniapp of an entry; null when there is none. An entry about every host app has no miniapp. */
export const subjectAppId = partnerIn(
  'miniapp',
  `case when subject not like 'integration:/%' then split_part(subject, '/', 2) end`,
  'miniapp',
);

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
    previous_hash: { type: 'text' },
    hash: { type: 'text' },
  },
  indices: [
    { name: 'audit_log_of_subject', columns: ['subject', 'at'] },
    { name: 'audit_log_of_action', columns: ['action', 'at'] },
    { name: 'audit_log_of_actor', columns: ['actor', 'at'] },
    { name: 'audit_log_by_time', columns: ['at'] },
    // Indexes on `subjectClientId` and `subjectAppId`, each with the time.
    { name: 'audit_log_by_host_app', synchronize: false },
    { name: 'audit_log_by_miniapp', synchronize: false },
    // The same indexes with the action before the time.
    { name: 'audit_log_of_host_app_action', synchronize: false },
    { name: 'audit_log_of_miniapp_action', synchronize: false },
  ],
});

/** The only row of audit_head: the last entry of the chain. Only the database writes it. */
export interface AuditHeadRow {
  one: boolean;
  last_id: string;
  hash: string;
  entries: string;
}

export const auditHeadSchema = new EntitySchema<AuditHeadRow>({
  name: 'AuditHead',
  tableName: 'audit_head',
  columns: {
    one: { type: 'boolean', primary: true, default: true, primaryKeyConstraintName: 'audit_head_pkey' },
    last_id: { type: 'bigint' },
    hash: { type: 'text' },
    entries: { type: 'bigint' },
  },
  checks: [{ name: 'audit_head_one', expression: 'one' }],
});

type ShownRow = Omit<AuditRow, 'previous_hash'>;

export const auditRecordFrom = ({ id, at, actor, action, subject, before, after, request_id: requestId, hash }: ShownRow): AuditRecord => ({
  id,
  at: at.getTime(),
  actor,
  action,
  subject,
  ...(before === null ? {} : { before }),
  ...(after === null ? {} : { after }),
  requestId,
  hash,
});
