import { StatementMigration } from './statement-migration';

/** People who sign in to the dashboard. */
export class Accounts1795737602000 extends StatementMigration {
  protected readonly created = [
    `create table accounts (
       id text collate "C" not null,
       email text collate "C" not null,
       name text not null,
       role text not null,
       client_id text collate "C",
       app_id text collate "C",
       password text,
       disabled boolean not null default false,
       created_at timestamptz not null,
       signed_in_at timestamptz,
       constraint accounts_pkey primary key (id),
       constraint accounts_email unique (email),
       constraint accounts_host_app foreign key (client_id) references host_apps (id) on delete cascade,
       constraint accounts_miniapp foreign key (app_id) references miniapps (id) on delete cascade,
       constraint accounts_role check (
         (role = 'operator' and client_id is null and app_id is null)
         or (role = 'host-app' and client_id is not null and app_id is null)
         or (role = 'miniapp' and client_id is null and app_id is not null)
       )
     )`,
    'create index accounts_by_host_app on accounts (client_id)',
    'create index accounts_by_miniapp on accounts (app_id)',
    `create table account_links (
       digest text collate "C" not null,
       account_id text collate "C" not null,
       purpose text not null,
       expires_at timestamptz not null,
       constraint account_links_pkey primary key (digest),
       constraint account_links_account foreign key (account_id) references accounts (id) on delete cascade
     )`,
    'create index account_links_by_account on account_links (account_id)',
    'create index account_links_by_expiry on account_links (expires_at)',
    `create table account_sessions (
       digest text collate "C" not null,
       id text collate "C" not null,
       account_id text collate "C" not null,
       created_at timestamptz not null,
       seen_at timestamptz not null,
       expires_at timestamptz not null,
       address text not null,
       agent text not null,
       view_role text,
       view_id text,
       constraint account_sessions_pkey primary key (digest),
       constraint account_sessions_account foreign key (account_id) references accounts (id) on delete cascade
     )`,
    'create index account_sessions_by_account on account_sessions (account_id)',
    'create index account_sessions_by_expiry on account_sessions (expires_at)',
    `create table sign_in_delays (
       subject text collate "C" not null,
       attempts integer not null,
       blocked_until timestamptz not null,
       expires_at timestamptz not null,
       constraint sign_in_delays_pkey primary key (subject)
     )`,
    'create index sign_in_delays_by_expiry on sign_in_delays (expires_at)',
  ];

  protected readonly dropped = ['drop table sign_in_delays, account_sessions, account_links, accounts'];
}
