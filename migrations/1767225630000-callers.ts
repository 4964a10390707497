import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where calls came from, by the hour; and when somebody proved to hold a key. An earlier version of the service reads and writes
 * none of it, and goes on.
 */
export class Callers1767225630000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table caller_addresses (
        partner_kind text collate "C" not null,
        partner_id text collate "C" not null,
        credential text collate "C" not null,
        hour timestamptz not null,
        address text collate "C" not null,
        admitted bigint not null,
        refused bigint not null,
        last_at timestamptz not null,
        last_request_id text not null,
        constraint caller_addresses_pkey primary key (partner_kind, partner_id, credential, hour, address)
      )`);
    await runner.query('create index caller_addresses_by_hour on caller_addresses (hour)');
    await runner.query('alter table partner_credentials add column proven_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table partner_credentials drop column proven_at');
    await runner.query('drop table caller_addresses');
  }
}
