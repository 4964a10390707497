import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the operator's page looks at: instances, the backlog over time, keys sealed anew, conformance runs. */
export class Operations1767225631000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table instances (
        id text not null,
        version text not null,
        role text not null,
        started_at timestamptz not null,
        seen_at timestamptz not null,
        drain_asked_at timestamptz,
        left_at timestamptz,
        figures jsonb not null,
        constraint instances_pkey primary key (id)
      )`);
    await runner.query(`
      create table backlog_samples (
        at timestamptz not null,
        waiting integer not null,
        oldest_ms bigint not null,
        late_ms bigint not null,
        constraint backlog_samples_pkey primary key (at)
      )`);
    await runner.query(`
      create table long_runs (
        id text not null,
        kind text not null,
        subject text not null,
        state text not null,
        started_at timestamptz not null,
        beat_at timestamptz not null,
        ended_at timestamptz,
        cancel_asked boolean not null,
        request jsonb not null,
        progress jsonb not null,
        constraint long_runs_pkey primary key (id),
        constraint long_runs_state check (state in ('running', 'done', 'failed', 'cancelled', 'interrupted'))
      )`);
    await runner.query(`create unique index long_runs_one_at_a_time on long_runs (kind) where state = 'running'`);
    await runner.query('create index long_runs_by_subject on long_runs (kind, subject, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table long_runs');
    await runner.query('drop table backlog_samples');
    await runner.query('drop table instances');
  }
}
