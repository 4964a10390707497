import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A payment is found by the host app's id first. Among indexes that seem equally good, as on tables that are empty still, Postgres
 * takes the one made last: that must be this one, as the choice stays with a prepared statement while the tables grow.
 */
export class Lookups1767225625000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index order_payments_by_key');
    await runner.query('create unique index order_payments_by_key on order_payments (order_payment_id, integration_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index order_payments_by_key');
    await runner.query('create unique index order_payments_by_key on order_payments (integration_id, order_payment_id)');
  }
}
