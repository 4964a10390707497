import { StatementMigration } from './statement-migration';

/** Payments, results that came before their payment or contradict it, status polls, and answers kept for repeated calls. */
export class Payments1795737606000 extends StatementMigration {
  protected readonly created = [
    `create table order_payments (
       id text not null,
       integration_id text not null,
       order_payment_id text,
       creation text not null,
       status text not null,
       sealed_order bytea not null,
       user_reference bytea,
       completion bytea,
       created_at timestamptz not null,
       ended_at timestamptz,
       settled_at timestamptz,
       currency text,
       amount numeric,
       polled_host_app text collate "C",
       poll_at timestamptz,
       polls integer not null default 0,
       polled_at timestamptz,
       poll_outcome text,
       poll_lease text,
       poll_lease_until timestamptz,
       user_digest bytea,
       erased_at timestamptz,
       constraint order_payments_pkey primary key (id),
       constraint order_payments_creation check (creation in ('begun', 'opened', 'repeated', 'refused', 'unanswered')),
       constraint order_payments_status check (status in ('in_process', 'paid', 'cancelled', 'failed'))
     )`,
    `create index order_payments_awaited on order_payments (integration_id, created_at) where creation in ('begun', 'unanswered')`,
    'create index order_payments_by_integration on order_payments (integration_id, created_at)',
    'create unique index order_payments_by_key on order_payments (order_payment_id, integration_id)',
    'create index order_payments_by_time on order_payments (created_at, id)',
    'create index order_payments_by_user on order_payments (user_digest) where user_digest is not null',
    `create index order_payments_never_polled on order_payments (polled_host_app, poll_at)
     where status = 'in_process' and order_payment_id is not null and poll_at is not null and polls = 0`,
    `create index order_payments_never_opened on order_payments (creation, created_at, id) where creation in ('refused', 'repeated', 'unanswered')`,
    `create index order_payments_not_paid on order_payments (status, created_at, id) where status in ('failed', 'cancelled')`,
    `create index order_payments_to_poll on order_payments (polled_host_app, poll_at)
     where status = 'in_process' and order_payment_id is not null and poll_at is not null`,
    'create index order_payments_being_polled on order_payments (polled_host_app) where poll_lease_until is not null',
    `create index order_payments_unsettled on order_payments (created_at, id) where status = 'in_process'`,
    `create table payment_completions_early (
       integration_id text not null,
       order_payment_id text not null,
       status text not null,
       completion bytea not null,
       at timestamptz not null,
       unmatched_since timestamptz,
       constraint payment_completions_early_pkey primary key (integration_id, order_payment_id)
     )`,
    'create index payment_completions_early_awaited on payment_completions_early (at) where unmatched_since is null',
    'create index payment_completions_early_of_payment on payment_completions_early (order_payment_id) where unmatched_since is not null',
    'create index payment_completions_early_unmatched on payment_completions_early (at) where unmatched_since is not null',
    `create table payment_conflicts (
       integration_id text not null,
       order_payment_id text not null,
       report_digest bytea not null,
       kind text not null,
       completion bytea not null,
       request_id text not null,
       at timestamptz not null,
       resolved_at timestamptz,
       resolved_by text,
       resolved_reason text,
       constraint payment_conflicts_pkey primary key (integration_id, order_payment_id, report_digest)
     )`,
    `create index payment_conflicts_open on payment_conflicts (integration_id, order_payment_id) where kind = 'conflict' and resolved_at is null`,
    `create table polled_host_apps (
       client_id text collate "C" not null,
       failures integer not null,
       backoff_until timestamptz,
       turn_at timestamptz not null,
       polls_per_second double precision not null default 10,
       troubles integer not null default 0,
       constraint polled_host_apps_pkey primary key (client_id)
     )`,
    `create table idempotent_calls (
       key_digest bytea not null,
       body_digest bytea not null,
       lease text not null,
       lease_until timestamptz not null,
       status integer,
       answer bytea,
       expires_at timestamptz not null,
       constraint idempotent_calls_pkey primary key (key_digest)
     )`,
    'create index idempotent_calls_by_expiry on idempotent_calls (expires_at)',
    `create function open_order_payments(intents text[], integrations text[], keys text[], given integer) returns setof text language plpgsql as $$
     begin
       perform pg_advisory_xact_lock(lock) from (
         select hashtextextended(json_build_array(integration, key)::text, 0) as lock from unnest(integrations, keys) as k (integration, key) order by 1
       ) locks;
       return query
       update order_payments p set order_payment_id = k.key, creation = 'opened', ended_at = now()
       from (select * from unnest(intents, integrations, keys) as u (intent, integration, key) limit given) k
       where p.id = k.intent and p.integration_id is not distinct from k.integration
         and p.order_payment_id is null and p.creation <> 'repeated'
         and not exists (
           select from payment_completions_early e where e.integration_id = k.integration and e.order_payment_id = k.key offset 0)
         and not exists (
           select from order_payments o
           where o.order_payment_id = k.key and (o.order_payment_id, o.integration_id) between (k.key, k.integration) and (k.key, k.integration) offset 0)
       returning p.id;
     end $$`,
  ];

  protected readonly dropped = [
    'drop table idempotent_calls, polled_host_apps, payment_conflicts, payment_completions_early, order_payments',
    'drop function open_order_payments(text[], text[], text[], integer)',
  ];
}
