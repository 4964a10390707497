import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls that came with an Idempotency-Key: who runs them, and their answers. */
export class IdempotentCalls1767225607000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table idempotent_calls (
        key_digest bytea not null,
        body_digest bytea not null,
        lease text not null,
        lease_until timestamptz not null,
        status integer,
        answer bytea,
        expires_at timestamptz not null,
        constraint idempotent_calls_pkey primary key (key_digest)
      )`);
    await runner.query('create index idempotent_calls_by_expiry on idempotent_calls (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table idempotent_calls');
  }
}
