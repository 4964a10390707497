import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments without a result, found by their age beside those that are written meanwhile. One that was killed is begun again. */
export class PaymentsInProcess1767225640001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists order_payments_in_process');
    await runner.query(`
      create index concurrently order_payments_in_process on order_payments (created_at, id)
      where status = 'in_process' and creation = 'opened'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index order_payments_in_process');
  }
}
