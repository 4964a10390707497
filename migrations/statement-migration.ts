import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A migration that is a list of statements each way. */
export abstract class StatementMigration implements MigrationInterface {
  protected abstract readonly created: readonly string[];
  protected abstract readonly dropped: readonly string[];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.created) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of this.dropped) await runner.query(statement);
  }
}
