import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts of exchanges by minute and by hour; muted problems; results of probes of partners' URLs; integrations that are live. */
export class Figures1767225627000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table figure_sums (
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
      )`);
    await runner.query(`
      create table figure_durations (
        grain text not null,
        slot timestamptz not null,
        client_id text collate "C" not null,
        app_id text collate "C" not null,
        call text collate "C" not null,
        step integer not null,
        count bigint not null,
        constraint figure_durations_pkey primary key (grain, slot, client_id, app_id, call, step)
      )`);
    await runner.query(`
      create table figure_progress (
        grain text not null,
        until timestamptz not null,
        constraint figure_progress_pkey primary key (grain)
      )`);
    await runner.query(`
      create table muted_problems (
        error_code text collate "C" not null,
        failed_side text collate "C" not null,
        failed_step text collate "C" not null,
        client_id text collate "C" not null,
        app_id text collate "C" not null,
        actor text not null,
        reason text not null,
        at timestamptz not null,
        constraint muted_problems_pkey primary key (error_code, failed_side, failed_step, client_id, app_id)
      )`);
    await runner.query(`
      create table endpoint_probes (
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
      )`);
    await runner.query(`
      create table live_integrations (
        integration_id text collate "C" not null,
        at timestamptz not null,
        actor text not null,
        reason text,
        missing text[] not null,
        constraint live_integrations_pkey primary key (integration_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['live_integrations', 'endpoint_probes', 'muted_problems', 'figure_progress', 'figure_durations', 'figure_sums']) {
      await runner.query(`drop table ${table}`);
    }
  }
}
