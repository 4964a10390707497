import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How calls fared under signature settings that are tried. An earlier version of the service knows nothing of it, and goes on. */
export class SignatureShadows1767225636000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table shadow_counts (
        partner_kind text collate "C" not null,
        partner_id text collate "C" not null,
        shadow_id text collate "C" not null,
        verdict text collate "C" not null,
        error_code text collate "C" not null,
        cause text collate "C" not null,
        count bigint not null,
        last_at timestamptz not null,
        constraint shadow_counts_pkey primary key (partner_kind, partner_id, shadow_id, verdict, error_code, cause)
      )`);
    await runner.query('create index shadow_counts_by_time on shadow_counts (last_at)');
    await runner.query(`
      create table shadow_calls (
        partner_kind text collate "C" not null,
        partner_id text collate "C" not null,
        shadow_id text collate "C" not null,
        at timestamptz not null,
        id text collate "C" not null,
        verdict text collate "C" not null,
        error_code text collate "C" not null,
        cause text collate "C" not null,
        request_id text not null,
        path text not null,
        constraint shadow_calls_pkey primary key (partner_kind, partner_id, shadow_id, at, id)
      )`);
    await runner.query('create index shadow_calls_by_time on shadow_calls (at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table shadow_calls');
    await runner.query('drop table shadow_counts');
  }
}
