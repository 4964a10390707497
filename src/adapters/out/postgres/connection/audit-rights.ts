import type { DataSource } from 'typeorm';
import { run } from './statement';

/**
 * SQL: whether the session's role may do more to the audit trail than read and append: as a superuser, as the owner of the tables or their
 * schema or a member of such a role, by a granted right, or because it may disable triggers.
 */
export const mayChangeAuditTrail = `
  (select coalesce(bool_or(
      has_table_privilege(c.oid, 'update, delete, truncate, trigger') or pg_has_role(c.relowner, 'member') or pg_has_role(n.nspowner, 'member')
      or (c.relname = 'audit_head' and has_table_privilege(c.oid, 'insert'))
    ), false) or has_parameter_privilege('session_replication_role', 'set')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid in (to_regclass('audit_log'), to_regclass('audit_head')))`;

/** The serving role if it may change the audit trail, otherwise `undefined`. */
export async function whoMayChangeAuditTrail(db: DataSource): Promise<string | undefined> {
  const text = `select current_user::text as role, ${mayChangeAuditTrail} as may_change`;
  const [row] = await run<{ role: string; may_change: boolean }>(db, { name: 'audit-rights', text }, []);
  return row?.may_change ? row.role : undefined;
}
