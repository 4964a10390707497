import pg from 'pg';
import type { QueryRunner } from 'typeorm';

/** The role that serves has rights on the audit trail beyond reading and appending, as a superuser or the owner has. */
export class AuditTrailUnprotected extends Error {
  constructor(role: string) {
    super(`The role ${role} may change the audit trail: it owns the tables, or is a superuser`);
    this.name = new.target.name;
  }
}

/**
 * Gives the serving role what it needs on all tables, and on those that later migrations make; of the audit trail to read and
 * to append, no more. To be repeated after each migration. Where the serving role is the one that migrates, nothing is done.
 * @returns false: the role has more rights on the audit trail than that, and not from here.
 */
export async function grantServingRole(runner: QueryRunner, role: string): Promise<boolean> {
  const [{ self, place }] = (await runner.query('select current_user as self, quote_ident(current_schema()) as place')) as [
    { self: string; place: string },
  ];
  if (self === role) return true;
  const to = pg.escapeIdentifier(role);
  const ours = `alter default privileges in schema ${place}`;
  const statements = [
    `grant usage on schema ${place} to ${to}`,
    `grant select, insert, update, delete on all tables in schema ${place} to ${to}`,
    `grant truncate on readiness_writes to ${to}`,
    `grant usage, select on all sequences in schema ${place} to ${to}`,
    `${ours} grant select, insert, update, delete on tables to ${to}`,
    `${ours} grant usage, select on sequences to ${to}`,
    `revoke all on audit_log, audit_head, migrations from ${to}, public`,
    `grant select, insert on audit_log to ${to}`,
    `grant select on audit_head, migrations to ${to}`,
  ];
  await runner.startTransaction();
  try {
    for (const statement of statements) await runner.query(statement);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
  const [{ more }] = (await runner.query(
    `select has_table_privilege($1, 'audit_log', 'update, delete, truncate') or has_table_privilege($1, 'audit_head', 'insert, update, delete, truncate') as more`,
    [role],
  )) as [{ more: boolean }];
  return !more;
}
