import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How fast each host app is polled, and payments that were never asked about by an index of their own, built beside the service's writes. A
 * build that was killed is begun again. The version before keeps to its four polls at once, and leaves both columns as they are.
 */
export class PollPace1767225670000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table asked_host_apps
        add column if not exists polls_per_second double precision not null default 10,
        add column if not exists troubles integer not null default 0`);
    await runner.query('drop index concurrently if exists order_payments_never_asked');
    await runner.query(`
      create index concurrently order_payments_never_asked on order_payments (asked_of, ask_at)
      where status = 'in_process' and order_payment_id is not null and ask_at is not null and asks = 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index order_payments_never_asked');
    await runner.query('alter table asked_host_apps drop column polls_per_second, drop column troubles');
  }
}
