/** What the twin keeps, in a schema of its own. */
export const tables = `
  create schema tuned;
  create table tuned.users (client_id text, reference text, data jsonb not null, primary key (client_id, reference));
  create table tuned.tokens (
    client_id text, reference text, access_token text not null, refresh_token text, primary key (client_id, reference));
  create table tuned.codes (client_id text, code text, used_at timestamptz not null default now(), primary key (client_id, code));
  create table tuned.consents (
    client_id text, app_id text, reference text, granted boolean not null, fields text[], text_version text,
    primary key (client_id, app_id, reference));
  create table tuned.consent_entries (
    id bigint generated always as identity primary key, client_id text not null, app_id text not null, reference text not null,
    granted boolean not null, fields text[], text_version text, call text not null, at timestamptz not null default now());
  create index on tuned.consent_entries (client_id, app_id, reference, id);
  create table tuned.payments (
    id uuid primary key, client_id text not null, app_id text not null, order_data jsonb not null, user_reference text,
    payment_id text, status text not null, created_at timestamptz not null default now(), settled_at timestamptz,
    unique (payment_id, client_id, app_id));
  create table tuned.deliveries (
    id uuid primary key, client_id text not null, app_id text not null, body text not null, delivered boolean not null default false,
    attempts integer not null default 0, due_at timestamptz not null);
  create index on tuned.deliveries (due_at) where not delivered;
  create table tuned.transactions (
    client_id text, app_id text, transaction_id text, amount numeric not null, currency text not null, at timestamptz not null,
    content jsonb not null, primary key (client_id, app_id, transaction_id));`;
