import { StatementMigration } from './statement-migration';

/** Counts and durations of calls by minute, hour and half-day. */
export class CallFigures1795737609000 extends StatementMigration {
  protected readonly created = [
    `create table figure_sums (
       grain text not null,
       slot timestamptz not null,
       client_id text collate "C" not null,
       app_id text collate "C" not null,
       call text collate "C" not null,
       status integer not null,
       error_code text collate "C" not null,
       failed_side text collate "C" not null,
       failed_step text collate "C" not null,
       count bigint not null,
       ms bigint not null,
       hostapp_ms bigint not null,
       miniapp_ms bigint not null,
       first_at timestamptz not null,
       last_at timestamptz not null,
       constraint figure_sums_pkey primary key (grain, slot, client_id, app_id, call, status, error_code, failed_side, failed_step)
     )`,
    'create index figure_sums_by_host_app on figure_sums (client_id, grain, slot)',
    'create index figure_sums_by_miniapp on figure_sums (app_id, grain, slot)',
    `create table figure_durations (
       grain text not null,
       slot timestamptz not null,
       client_id text collate "C" not null,
       app_id text collate "C" not null,
       call text collate "C" not null,
       step integer not null,
       count bigint not null,
       constraint figure_durations_pkey primary key (grain, slot, client_id, app_id, call, step)
     )`,
    'create index figure_durations_by_host_app on figure_durations (client_id, grain, slot)',
    'create index figure_durations_by_miniapp on figure_durations (app_id, grain, slot)',
    `create table figure_pairs (
       slot timestamptz not null,
       client_id text collate "C" not null,
       app_id text collate "C" not null,
       count bigint not null,
       failed bigint not null,
       constraint figure_pairs_pkey primary key (slot, client_id, app_id)
     )`,
    `create table figure_progress (
       grain text not null,
       until timestamptz not null,
       constraint figure_progress_pkey primary key (grain)
     )`,
    'create statistics figure_pairs_of_both (ndistinct) on client_id, app_id from figure_pairs',
  ];

  protected readonly dropped = ['drop table figure_progress, figure_pairs, figure_durations, figure_sums'];
}
