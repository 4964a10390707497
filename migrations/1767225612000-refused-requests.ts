import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests whose signature was refused, sealed, for a day: so that they can be explained. */
export class RefusedRequests1767225612000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table refused_requests (
        exchange_id text collate "C" not null,
        partner_kind text not null,
        partner_id text not null,
        sealed bytea not null,
        received_at timestamptz not null,
        expires_at timestamptz not null,
        constraint refused_requests_pkey primary key (exchange_id),
        constraint refused_requests_partner_kind_check check (partner_kind in ('host-app', 'miniapp'))
      )`);
    await runner.query('create index refused_requests_by_expiry on refused_requests (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table refused_requests');
  }
}
