import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people do by hand: a conflict looked into, an endpoint's lane paused, a delivery given up; each with its reason. */
export class HandsOn1767225629000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table payment_conflicts
        add column resolved_at timestamptz, add column resolved_by text, add column resolved_reason text`);
    await runner.query(`
      alter table delivery_lanes
        add column paused_at timestamptz, add column paused_by text, add column paused_reason text`);
    await runner.query('alter table deliveries add column aborted_reason text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deliveries drop column aborted_reason');
    await runner.query('alter table delivery_lanes drop column paused_at, drop column paused_by, drop column paused_reason');
    await runner.query('alter table payment_conflicts drop column resolved_at, drop column resolved_by, drop column resolved_reason');
  }
}
