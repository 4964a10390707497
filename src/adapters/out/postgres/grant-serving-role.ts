import pg from 'pg';
import type { QueryRunner } from 'typeorm';

/**
 * Gives the serving role what it needs on all tables, and on those that later migrations make; of the audit trail to read and
 * to append, no more. To be repeated after each migration. Where the serving role is the one that migrates, nothing is done.
 */
export async function grantServingRole(runner: QueryRunner, role: string): Promise<void> {
  const [{ self, place }] = (await runner.query('select current_user as self, quote_ident(current_schema()) as place')) as [
    { self: string; place: string },
  ];
  if (self === role) return;
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
}
