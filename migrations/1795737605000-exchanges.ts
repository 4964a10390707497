import { StatementMigration } from './statement-migration';

/** Records of relays, and links to the evidence of one. */
export class Exchanges1795737605000 extends StatementMigration {
  protected readonly created = [
    `create table exchanges (
       id text collate "C" not null,
       request_id text not null,
       call text not null,
       client_id text,
       app_id text,
       reference text,
       at timestamptz not null,
       ms integer not null,
       status integer not null,
       error_code text,
       failed_side text,
       failed_step text,
       checks text[] not null,
       legs jsonb not null,
       refused_check text,
       refused_of text,
       part_of text,
       constraint exchanges_pkey primary key (id)
     )`,
    'create index exchanges_at on exchanges (at)',
    'create index exchanges_by_error on exchanges (error_code, at) where error_code is not null',
    'create index exchanges_by_failed_side on exchanges (failed_side, at, id) where failed_side is not null',
    'create index exchanges_by_miniapp on exchanges (app_id, at)',
    'create index exchanges_by_pair on exchanges (client_id, app_id, at)',
    'create index exchanges_by_refused_check on exchanges (refused_check, at, id) where refused_check is not null',
    'create index exchanges_by_request on exchanges (request_id)',
    'create index exchanges_by_status on exchanges (status, at, id) where status >= 300',
    'create index exchanges_by_whole on exchanges (part_of, at) where part_of is not null',
    'create index exchanges_of_call on exchanges (call, at)',
    'create index exchanges_slow on exchanges (at, id) where ms >= 1000',
    `create table evidence_links (
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
     )`,
    'create index evidence_links_by_exchange on evidence_links (exchange_id, created_at)',
    'create index evidence_links_by_expiry on evidence_links (expires_at)',
    'create index evidence_links_by_host_app on evidence_links (client_id, created_at, id)',
    'create index evidence_links_by_miniapp on evidence_links (app_id, created_at, id)',
    'create index evidence_links_by_time on evidence_links (created_at, id)',
    'create unique index evidence_links_by_token on evidence_links (token_digest)',
  ];

  protected readonly dropped = ['drop table evidence_links, exchanges'];
}
