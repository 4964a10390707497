import { StatementMigration } from './statement-migration';

/** Deliveries with their attempts, the queues of endpoints, and what an operator sends again. */
export class Deliveries1795737607000 extends StatementMigration {
  protected readonly created = [
    `create table deliveries (
       id text not null,
       integration_id text not null,
       kind text not null,
       key text not null,
       body bytea not null,
       state text not null,
       attempts integer not null default 0,
       due_at timestamptz not null,
       lease text,
       lease_until timestamptz,
       created_at timestamptz not null,
       seq bigserial,
       receiver text not null default 'miniapp',
       tries integer not null default 0,
       parked_by text,
       resent_at timestamptz,
       ended_at timestamptz,
       queue text collate "C" not null default '',
       head boolean not null default true,
       by_operator boolean not null default false,
       resume_at timestamptz,
       attempted_at timestamptz,
       resend_id text,
       aborted_reason text,
       constraint deliveries_pkey primary key (id),
       constraint deliveries_kind check (kind in ('completion', 'event')),
       constraint deliveries_receiver check (receiver in ('hostapp', 'miniapp')),
       constraint deliveries_state check (state in ('ready', 'delivered', 'failed'))
     )`,
    `create index deliveries_by_operator on deliveries (due_at) where state = 'ready' and by_operator and resend_id is null`,
    'create index deliveries_by_integration on deliveries (integration_id, created_at)',
    'create index deliveries_by_resend on deliveries (resend_id) where resend_id is not null',
    'create unique index deliveries_by_seq on deliveries (seq)',
    'create index deliveries_by_time on deliveries (created_at)',
    `create index deliveries_due on deliveries (queue, due_at, seq) where state = 'ready' and head and parked_by is null`,
    `create index deliveries_ended on deliveries (state, ended_at) where state <> 'ready'`,
    `create index deliveries_events on deliveries (created_at) where kind = 'event'`,
    `create index deliveries_failed on deliveries (created_at) where state = 'failed'`,
    `create index deliveries_failed_completions on deliveries (id) where kind = 'completion' and state = 'failed'`,
    `create index deliveries_of_key on deliveries (key, seq) where state = 'ready' and key is not null`,
    `create index deliveries_pending_from on deliveries (created_at) where state = 'ready' and parked_by is null and created_at is not null`,
    `create index deliveries_parked on deliveries (due_at) where state = 'ready' and parked_by is not null`,
    `create index deliveries_parked_completions on deliveries (id) where kind = 'completion' and state = 'ready' and parked_by is not null`,
    `create index deliveries_parked_from on deliveries (created_at) where state = 'ready' and parked_by is not null`,
    `create index deliveries_parked_of on deliveries (integration_id) where state = 'ready' and parked_by is not null`,
    `create table delivery_attempts (
       delivery_id text not null,
       number integer not null,
       at timestamptz not null,
       ms integer not null,
       status integer,
       error_code text,
       cause text,
       reason text not null default 'schedule',
       constraint delivery_attempts_pkey primary key (delivery_id, number)
     )`,
    `create table endpoint_queues (
       queue text collate "C" not null,
       failures integer not null,
       probe_at timestamptz not null,
       circuit_open boolean not null default false,
       since timestamptz not null default now(),
       recovering_since timestamptz,
       paused_at timestamptz,
       paused_by text,
       paused_reason text,
       constraint endpoint_queues_pkey primary key (queue)
     )`,
    'create index endpoint_queues_by_time on endpoint_queues (probe_at)',
    `create table resends (
       id text not null,
       filter jsonb not null,
       per_second integer not null,
       state text not null,
       count integer not null,
       fed_to bigint not null,
       fed_at timestamptz not null,
       created_at timestamptz not null,
       ended_at timestamptz,
       constraint resends_pkey primary key (id),
       constraint resends_state check (state in ('running', 'done', 'cancelled'))
     )`,
    'create index resends_by_time on resends (created_at)',
    `create index resends_running on resends (fed_at) where state = 'running'`,
    `create table resend_items (
       resend_id text not null,
       seq bigint not null,
       delivery_id text not null,
       state_before text not null,
       parked_before text,
       due_before timestamptz,
       ended_before timestamptz,
       resent_before timestamptz,
       tries_before integer,
       attempts_before integer,
       constraint resend_items_pkey primary key (resend_id, seq)
     )`,
    `create table erased_deliveries (
       delivery_id text not null,
       constraint erased_deliveries_pkey primary key (delivery_id)
     )`,
    `create table backlog_samples (
       at timestamptz not null,
       waiting integer not null,
       oldest_ms bigint not null,
       late_ms bigint not null,
       constraint backlog_samples_pkey primary key (at)
     )`,
  ];

  protected readonly dropped = [
    'drop table backlog_samples, erased_deliveries, resend_items, resends, endpoint_queues, delivery_attempts, deliveries',
  ];
}
