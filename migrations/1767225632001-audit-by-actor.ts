import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries of the audit trail by who made them, found beside those that are written meanwhile. One that was killed is begun again. */
export class AuditByActor1767225632001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists audit_log_by_actor');
    await runner.query('create index concurrently audit_log_by_actor on audit_log (actor, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index audit_log_by_actor');
  }
}
