import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Nonces of signed calls that were accepted, until no replay of them could pass the time window. */
export class UsedNonces1767225611000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table used_nonces (
        partner text collate "C" not null,
        nonce text collate "C" not null,
        expires_at timestamptz not null,
        constraint used_nonces_pkey primary key (partner, nonce)
      )`);
    await runner.query('create index used_nonces_by_expiry on used_nonces (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table used_nonces');
  }
}
