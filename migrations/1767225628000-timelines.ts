import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which payment or event a call was a part of, and which check it did not pass; links to evidence. */
export class Timelines1767225628000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table exchanges add column refused_check text, add column refused_of text, add column part_of text');
    await runner.query(`
      create table evidence_links (
        id text collate "C" not null,
        token_digest bytea not null,
        exchange_id text not null,
        client_id text,
        app_id text,
        sealed bytea not null,
        created_by text not null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        revoked_at timestamptz,
        opened integer not null default 0,
        opened_at timestamptz,
        constraint evidence_links_pkey primary key (id)
      )`);
    await runner.query('create unique index evidence_links_by_token on evidence_links (token_digest)');
    await runner.query('create index evidence_links_by_exchange on evidence_links (exchange_id, created_at)');
    await runner.query('create index evidence_links_by_expiry on evidence_links (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table evidence_links');
    await runner.query('alter table exchanges drop column refused_check, drop column refused_of, drop column part_of');
  }
}
