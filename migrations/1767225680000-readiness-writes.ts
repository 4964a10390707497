import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What readiness writes, to find out whether the database still takes writes (ADR 054). Nothing reads it. */
export class ReadinessWrites1767225680000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Unlogged: its rows are worth nothing after a crash, and would fill the log and every standby.
    await runner.query(`
      create unlogged table readiness_writes (
        slot integer constraint readiness_writes_pkey primary key,
        filling varchar(200) not null
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table readiness_writes');
  }
}
