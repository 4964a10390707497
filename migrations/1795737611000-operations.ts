import { StatementMigration } from './statement-migration';

/** Instances, long runs, muted problems, probes of endpoints, and the write by which readiness is checked. */
export class Operations1795737611000 extends StatementMigration {
  protected readonly created = [
    `create table instances (
       id text not null,
       version text not null,
       role text not null,
       started_at timestamptz not null,
       seen_at timestamptz not null,
       drain_requested_at timestamptz,
       left_at timestamptz,
       figures jsonb not null,
       constraint instances_pkey primary key (id)
     )`,
    `create table long_runs (
       id text not null,
       kind text not null,
       subject text not null,
       state text not null,
       started_at timestamptz not null,
       beat_at timestamptz not null,
       ended_at timestamptz,
       cancel_requested boolean not null,
       request jsonb not null,
       progress jsonb not null,
       constraint long_runs_pkey primary key (id),
       constraint long_runs_state check (state in ('running', 'done', 'failed', 'cancelled', 'interrupted'))
     )`,
    'create index long_runs_by_subject on long_runs (kind, subject, id)',
    'create index long_runs_of_kind on long_runs (kind, id)',
    `create unique index long_runs_one_at_a_time on long_runs (kind) where state = 'running'`,
    `create table muted_problems (
       error_code text collate "C" not null,
       failed_side text collate "C" not null,
       failed_step text collate "C" not null,
       client_id text collate "C" not null,
       app_id text collate "C" not null,
       actor text not null,
       reason text not null,
       at timestamptz not null,
       constraint muted_problems_pkey primary key (error_code, failed_side, failed_step, client_id, app_id)
     )`,
    `create table endpoint_probes (
       partner_kind text collate "C" not null,
       partner_id text collate "C" not null,
       endpoint text collate "C" not null,
       url text not null,
       at timestamptz not null,
       ms integer not null,
       status integer,
       problem text,
       tls_until timestamptz,
       constraint endpoint_probes_pkey primary key (partner_kind, partner_id, endpoint)
     )`,
    `create unlogged table readiness_writes (
       slot integer not null,
       filling varchar(200) not null,
       constraint readiness_writes_pkey primary key (slot)
     )`,
  ];

  protected readonly dropped = ['drop table readiness_writes, endpoint_probes, muted_problems, long_runs, instances'];
}
