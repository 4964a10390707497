import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries that are narrowed to one word, in the order of their list; deliveries that wait for something to be switched on, too. */
const added = {
  audit_log_of_subject: 'audit_log (subject, at)',
  audit_log_of_action: 'audit_log (action, at)',
  audit_log_of_actor: 'audit_log (actor, at)',
  deliveries_parked_from: `deliveries (created_at) where state = 'ready' and parked_by is not null`,
} as const;

/** By id, in which order they are not listed any more. */
const replaced = {
  audit_log_by_subject: 'audit_log (subject, id)',
  audit_log_by_action: 'audit_log (action, id)',
  audit_log_by_actor: 'audit_log (actor, id)',
} as const;

/** Built while others write; one that was killed is begun again. */
export class ListOrders1767225780000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(added)) {
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on ${on}`);
    }
    for (const name of Object.keys(replaced)) await runner.query(`drop index concurrently if exists ${name}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(replaced)) await runner.query(`create index ${name} on ${on}`);
    for (const name of Object.keys(added)) await runner.query(`drop index ${name}`);
  }
}
