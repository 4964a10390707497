import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counters of calls by a minute; the columns are those that rate-limiter-flexible asks for. */
export class RateLimits1767225604000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table rate_limits (
        key varchar(255) not null,
        points integer not null default 0,
        expire bigint,
        constraint rate_limits_pkey primary key (key)
      ) with (fillfactor = 70)`);
    await runner.query('create index rate_limits_by_expiry on rate_limits (expire)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table rate_limits');
  }
}
