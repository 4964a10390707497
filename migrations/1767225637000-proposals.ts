import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a partner has proposed, beside the integration that is proposed. The version before neither reads nor writes it. */
export class Proposals1767225637000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table integrations add column proposal jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table integrations drop column proposal');
  }
}
