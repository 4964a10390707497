import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users of host apps, their tokens, and who consented to what. References are found by a keyed digest and kept sealed. */
export class SignOn1767225601000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table kept_keys (
        name text not null,
        sealed bytea not null,
        constraint kept_keys_pkey primary key (name)
      )`);
    // Rows of users, tokens and consents are rewritten in place: room in each page keeps that from growing the indexes.
    await runner.query(`
      create table users (
        client_id text not null,
        reference_digest bytea not null,
        reference bytea not null,
        data bytea not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        constraint users_pkey primary key (client_id, reference_digest)
      ) with (fillfactor = 85)`);
    await runner.query(`
      create table user_tokens (
        client_id text not null,
        reference_digest bytea not null,
        access_token bytea not null,
        refresh_token bytea,
        version bigint not null,
        lease text,
        lease_until timestamptz,
        updated_at timestamptz not null,
        constraint user_tokens_pkey primary key (client_id, reference_digest)
      ) with (fillfactor = 85)`);
    await runner.query(`
      create table consents (
        integration_id text not null,
        reference_digest bytea not null,
        granted boolean not null,
        fields text[],
        text_version text,
        updated_at timestamptz not null,
        constraint consents_pkey primary key (integration_id, reference_digest)
      ) with (fillfactor = 85)`);
    await runner.query(`
      create table consent_ledger (
        id bigint generated always as identity,
        integration_id text not null,
        reference_digest bytea not null,
        reference bytea not null,
        granted boolean not null,
        fields text[],
        text_version text,
        call text not null,
        request_id text not null,
        at timestamptz not null,
        constraint consent_ledger_pkey primary key (id)
      )`);
    await runner.query('create index consent_ledger_by_user on consent_ledger (integration_id, reference_digest, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['consent_ledger', 'consents', 'user_tokens', 'users', 'kept_keys']) await runner.query(`drop table ${table}`);
  }
}
