import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the last refresh of a user's tokens failed, for those who waited for it. */
export class TokenRefresh1767225606000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table user_tokens add column failure bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table user_tokens drop column failure');
  }
}
