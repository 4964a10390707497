import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries by endpoint: a lane each, the first of each key marked, and the endpoints that fail. */
export class DeliveryLanes1767225620000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table deliveries
        add column lane text collate "C" not null default '',
        add column head boolean not null default true,
        add column by_operator boolean not null default false,
        add column resume_at timestamptz`);
    await runner.query(`
      update deliveries d set lane = d.receiver || ':' || case d.receiver when 'hostapp' then i.client_id else i.app_id end || ':' || d.kind
      from integrations i where i.id = d.integration_id`);
    await runner.query(`
      update deliveries d set head = false where state = 'ready'
        and exists (select from deliveries e where e.key = d.key and e.seq < d.seq and e.state = 'ready')`);
    await runner.query('drop index deliveries_due');
    await runner.query(`create index deliveries_due on deliveries (lane, due_at, seq) where state = 'ready' and head`);
    await runner.query(`create index deliveries_asked on deliveries (due_at) where state = 'ready' and by_operator`);
    await runner.query(`alter table delivery_attempts add column reason text not null default 'schedule'`);
    await runner.query(`
      create table delivery_lanes (
        lane text collate "C" not null,
        failures integer not null,
        released boolean not null,
        look_at timestamptz not null,
        constraint delivery_lanes_pkey primary key (lane)
      )`);
    await runner.query('create index delivery_lanes_by_time on delivery_lanes (look_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table delivery_lanes');
    await runner.query('alter table delivery_attempts drop column reason');
    await runner.query('drop index deliveries_due');
    await runner.query('alter table deliveries drop column lane, drop column head, drop column by_operator, drop column resume_at');
    await runner.query(`create index deliveries_due on deliveries (due_at) where state = 'ready'`);
  }
}
