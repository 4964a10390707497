import type { EntityManager } from 'typeorm';
import type { AuditEntry } from '../../../../domain/partners/ports';
import { runIn, type Statement } from '../connection/statement';

const append: Statement = {
  name: 'audit.append',
  text: 'insert into audit_log (at, actor, action, subject, before, after, request_id) values ($1, $2, $3, $4, $5, $6, $7)',
};

/** Writes the audit row of a change into the change's own transaction. */
export async function appendAudit(manager: EntityManager, entry: AuditEntry): Promise<void> {
  const { at, actor, action, subject, before, after, requestId } = entry;
  await runIn(manager, append, [new Date(at), actor, action, subject, jsonOf(before), jsonOf(after), requestId]);
}

const jsonOf = (value: unknown): string | null => (value === undefined || value === null ? null : JSON.stringify(value));
