import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Resends by filter; parked deliveries out of the way of those that can leave; lanes that tell a release from a short trouble. */
export class ResendBatches1767225624000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deliveries add column attempted_at timestamptz, add column resend_id text');
    await runner.query('drop index deliveries_due');
    await runner.query('drop index deliveries_asked');
    await runner.query(
      `create index deliveries_due on deliveries (lane, due_at, seq) where state = 'ready' and head and parked_by is null`,
    );
    await runner.query(`create index deliveries_asked on deliveries (due_at) where state = 'ready' and by_operator and resend_id is null`);
    await runner.query(`create index deliveries_parked on deliveries (due_at) where state = 'ready' and parked_by is not null`);
    await runner.query(`create index deliveries_parked_of on deliveries (integration_id) where state = 'ready' and parked_by is not null`);
    await runner.query(`create index deliveries_owed_since on deliveries (created_at) where state = 'ready' and parked_by is null`);
    await runner.query('create index deliveries_by_resend on deliveries (resend_id) where resend_id is not null');
    await runner.query(`
      alter table delivery_lanes
        add column closed boolean not null default false,
        add column since timestamptz not null default now(),
        add column released_at timestamptz`);
    await runner.query('update delivery_lanes set closed = failures >= 5, released_at = case when released then now() end');
    await runner.query('alter table delivery_lanes drop column released');
    await runner.query(`
      create table resends (
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
      )`);
    await runner.query(`create index resends_running on resends (fed_at) where state = 'running'`);
    await runner.query('create index resends_by_time on resends (created_at)');
    await runner.query(`
      create table resend_items (
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
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table resend_items');
    await runner.query('drop table resends');
    await runner.query('alter table delivery_lanes add column released boolean not null default false');
    await runner.query('update delivery_lanes set released = released_at is not null');
    await runner.query('alter table delivery_lanes alter column released drop default');
    await runner.query('alter table delivery_lanes drop column closed, drop column since, drop column released_at');
    for (const name of ['deliveries_by_resend', 'deliveries_owed_since', 'deliveries_parked_of', 'deliveries_parked']) {
      await runner.query(`drop index ${name}`);
    }
    await runner.query('drop index deliveries_asked');
    await runner.query('drop index deliveries_due');
    await runner.query('alter table deliveries drop column attempted_at, drop column resend_id');
    await runner.query(`create index deliveries_due on deliveries (lane, due_at, seq) where state = 'ready' and head`);
    await runner.query(`create index deliveries_asked on deliveries (due_at) where state = 'ready' and by_operator`);
  }
}
