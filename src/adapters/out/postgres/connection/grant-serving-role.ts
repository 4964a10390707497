import pg from 'pg';
import type { QueryRunner } from 'typeorm';

/**
 * Grants the serving role its rights on all tables and on those of later migrations; on the audit trail only the rights to read and append.
 * Must run after each migration. Does nothing when the serving role is the migrating role.
 */
export async function grantServingRole(runner: QueryRunner, role: string): Promise<void> {
  const [{ self, schema }] = (await runner.query('select current_user as self, quote_ident(current_schema()) as schema')) as [
    { self: string; schema: string },
  ];
  if (self === role) return;
  const to = pg.escapeIdentifier(role);
  const ours = `alter default privileges in schema ${schema}`;
  const statements = [
    `grant usage on schema ${schema} to ${to}`,
    `grant select, insert, update, delete on all tables in schema ${schema} to ${to}`,
    `grant truncate on readiness_writes to ${to}`,
    `grant usage, select on all sequences in schema ${schema} to ${to}`,
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
