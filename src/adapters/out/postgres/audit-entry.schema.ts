import { EntitySchema } from 'typeorm';
import type { AuditRecord } from '../../../domain/partners/ports';

/** A row of audit_log. The database chains it to the one before, and refuses to change or delete it. */
export interface AuditRow {
  id: string;
  at: Date;
  actor: string;
  action: string;
  subject: string;
  before: unknown;
  after: unknown;
  request_id: string;
  /** Both are the database's: who inserts gives neither. */
  previous_hash: string;
  hash: string;
}

/** A case of `subjectClientId` or `subjectAppId`, which the indexes of audit_log are made of, letter by letter. */
const partnerIn = (ofPartner: string, ofIntegration: string, lane: string): string =>
  `(case split_part(subject, ':', 1) when '${ofPartner}' then split_part(subject, ':', 2) when 'integration' then ${ofIntegration} ` +
  `when 'delivery-lane' then case split_part(subject, ':', 2) when '${lane}' then split_part(subject, ':', 3) end end)`;

/** The host app that an entry is about, as an expression; null: it is about none. */
export const subjectClientId = partnerIn('host-app', `split_part(split_part(subject, ':', 2), '/', 1)`, 'hostapp');
/** The miniapp that an entry is about; what holds for every host app is about none. */
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
    // By `subjectClientId` and `subjectAppId`, each with the time.
    { name: 'audit_log_by_host_app', synchronize: false },
    { name: 'audit_log_by_miniapp', synchronize: false },
    // The same with the action before the time.
    { name: 'audit_log_of_host_app_action', synchronize: false },
    { name: 'audit_log_of_miniapp_action', synchronize: false },
  ],
});

/** The row of audit_head: where the chain was last written to. The database alone writes it. */
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
