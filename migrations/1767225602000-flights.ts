import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Work that must happen once over all instances: who runs it, and what it brought. */
export class Flights1767225602000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table flights (
        purpose text not null,
        key_digest bytea not null,
        lease text not null,
        lease_until timestamptz not null,
        state text not null,
        value bytea,
        failure jsonb,
        expires_at timestamptz not null,
        constraint flights_pkey primary key (purpose, key_digest),
        constraint flights_state check (state in ('running', 'landed', 'failed'))
      )`);
    await runner.query('create index flights_by_expiry on flights (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table flights');
  }
}
