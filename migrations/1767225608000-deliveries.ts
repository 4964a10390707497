import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns for delivering: order within a key, the receiver, the attempts, and lists for the operator. */
export class Deliveries1767225608000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table deliveries
        add column seq bigserial,
        add column receiver text not null default 'miniapp',
        add column tries integer not null default 0,
        add column parked_by text,
        add column resent_at timestamptz,
        add column ended_at timestamptz,
        add constraint deliveries_kind check (kind in ('completion', 'event')),
        add constraint deliveries_receiver check (receiver in ('hostapp', 'miniapp')),
        add constraint deliveries_state check (state in ('ready', 'delivered', 'failed'))`);
    await runner.query('create unique index deliveries_by_seq on deliveries (seq)');
    await runner.query(`create index deliveries_by_key on deliveries (key, seq) where state = 'ready'`);
    await runner.query('create index deliveries_by_time on deliveries (created_at)');
    await runner.query(`
      create table delivery_attempts (
        delivery_id text not null,
        number integer not null,
        at timestamptz not null,
        ms integer not null,
        status integer,
        error_code text,
        cause text,
        constraint delivery_attempts_pkey primary key (delivery_id, number)
      )`);
    await runner.query('create index order_payments_by_time on order_payments (created_at, id)');
    await runner.query('create index order_payments_by_integration on order_payments (integration_id, created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index order_payments_by_time, order_payments_by_integration');
    await runner.query('drop table delivery_attempts');
    await runner.query('drop index deliveries_by_seq, deliveries_by_key, deliveries_by_time');
    await runner.query(`
      alter table deliveries
        drop constraint deliveries_kind, drop constraint deliveries_receiver, drop constraint deliveries_state,
        drop column seq, drop column receiver, drop column tries, drop column parked_by, drop column resent_at, drop column ended_at`);
  }
}
