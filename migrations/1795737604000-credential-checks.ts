import { StatementMigration } from './statement-migration';

/** What checks of credentials keep: nonces, counts, refused requests, callers, dry runs of signature settings; and keys of the service. */
export class CredentialChecks1795737604000 extends StatementMigration {
  protected readonly created = [
    `create table used_nonces (
       partner text collate "C" not null,
       nonce text collate "C" not null,
       expires_at timestamptz not null,
       constraint used_nonces_pkey primary key (partner, nonce)
     )`,
    'create index used_nonces_by_expiry on used_nonces (expires_at)',
    `create table rate_limits (
       key varchar(255) not null,
       points integer not null default 0,
       expire bigint,
       constraint rate_limits_pkey primary key (key)
     ) with (fillfactor = 70)`,
    'create index rate_limits_by_expiry on rate_limits (expire)',
    `create table refused_requests (
       exchange_id text collate "C" not null,
       partner_kind text not null,
       partner_id text not null,
       sealed bytea not null,
       received_at timestamptz not null,
       expires_at timestamptz not null,
       constraint refused_requests_pkey primary key (exchange_id),
       constraint refused_requests_partner_kind_check check (partner_kind in ('host-app', 'miniapp'))
     )`,
    'create index refused_requests_by_expiry on refused_requests (expires_at)',
    `create table caller_addresses (
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
     )`,
    'create index caller_addresses_by_hour on caller_addresses (hour)',
    `create table dry_run_calls (
       partner_kind text collate "C" not null,
       partner_id text collate "C" not null,
       dry_run_id text collate "C" not null,
       at timestamptz not null,
       id text collate "C" not null,
       verdict text collate "C" not null,
       error_code text collate "C" not null,
       cause text collate "C" not null,
       request_id text not null,
       path text not null,
       constraint dry_run_calls_pkey primary key (partner_kind, partner_id, dry_run_id, at, id)
     )`,
    'create index dry_run_calls_by_time on dry_run_calls (at)',
    `create table dry_run_counts (
       partner_kind text collate "C" not null,
       partner_id text collate "C" not null,
       dry_run_id text collate "C" not null,
       verdict text collate "C" not null,
       error_code text collate "C" not null,
       cause text collate "C" not null,
       count bigint not null,
       last_at timestamptz not null,
       constraint dry_run_counts_pkey primary key (partner_kind, partner_id, dry_run_id, verdict, error_code, cause)
     )`,
    'create index dry_run_counts_by_time on dry_run_counts (last_at)',
    `create table kept_keys (
       name text not null,
       sealed bytea not null,
       constraint kept_keys_pkey primary key (name)
     )`,
  ];

  protected readonly dropped = [
    'drop table kept_keys, dry_run_counts, dry_run_calls, caller_addresses, refused_requests, rate_limits, used_nonces',
  ];
}
