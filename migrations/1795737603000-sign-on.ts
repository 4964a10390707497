import { StatementMigration } from './statement-migration';

/** Users of host apps with their tokens and consents, and the results of calls that several instances share. */
export class SignOn1795737603000 extends StatementMigration {
  protected readonly created = [
    `create table users (
       client_id text not null,
       reference_digest bytea not null,
       reference bytea not null,
       data bytea not null,
       created_at timestamptz not null,
       updated_at timestamptz not null,
       constraint users_pkey primary key (client_id, reference_digest)
     ) with (fillfactor = 85)`,
    `create table user_tokens (
       client_id text not null,
       reference_digest bytea not null,
       access_token bytea not null,
       refresh_token bytea,
       version bigint not null,
       lease text,
       lease_until timestamptz,
       updated_at timestamptz not null,
       failure bytea,
       constraint user_tokens_pkey primary key (client_id, reference_digest)
     ) with (fillfactor = 85)`,
    `create table consents (
       integration_id text not null,
       reference_digest bytea not null,
       granted boolean not null,
       fields text[],
       text_version text,
       updated_at timestamptz not null,
       constraint consents_pkey primary key (integration_id, reference_digest)
     ) with (fillfactor = 85)`,
    'create index consents_by_user on consents (reference_digest)',
    `create table consent_entries (
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
       constraint consent_entries_pkey primary key (id)
     )`,
    'create index consent_entries_by_user on consent_entries (reference_digest, integration_id, id)',
    `create table token_refreshes (
       client_id text collate "C" not null,
       minute timestamptz not null,
       token text collate "C" not null,
       outcome text collate "C" not null,
       count bigint not null,
       constraint token_refreshes_pkey primary key (client_id, minute, token, outcome)
     )`,
    'create index token_refreshes_by_minute on token_refreshes (minute)',
    `create table shared_tasks (
       purpose text not null,
       key_digest bytea not null,
       lease text not null,
       lease_until timestamptz not null,
       state text not null,
       value bytea,
       failure jsonb,
       expires_at timestamptz not null,
       constraint shared_tasks_pkey primary key (purpose, key_digest),
       constraint shared_tasks_state check (state in ('running', 'completed', 'failed'))
     )`,
    'create index shared_tasks_by_expiry on shared_tasks (expires_at)',
  ];

  protected readonly dropped = ['drop table shared_tasks, token_refreshes, consent_entries, consents, user_tokens, users'];
}
