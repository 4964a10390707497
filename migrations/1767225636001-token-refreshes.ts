import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often tokens were refreshed, by the minute. An earlier version of the service knows nothing of it, and goes on. */
export class TokenRefreshes1767225636001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table token_refreshes (
        client_id text collate "C" not null,
        minute timestamptz not null,
        token text collate "C" not null,
        outcome text collate "C" not null,
        count bigint not null,
        constraint token_refreshes_pkey primary key (client_id, minute, token, outcome)
      )`);
    await runner.query('create index token_refreshes_by_minute on token_refreshes (minute)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table token_refreshes');
  }
}
