import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Order payments, completions that came before their payment was known, contradictions, and pending deliveries. */
export class Payments1767225605000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table order_payments (
        id text not null,
        integration_id text not null,
        order_payment_id text,
        creation text not null,
        status text not null,
        sealed_order bytea not null,
        user_reference bytea,
        completion bytea,
        created_at timestamptz not null,
        ended_at timestamptz,
        settled_at timestamptz,
        constraint order_payments_pkey primary key (id),
        constraint order_payments_creation check (creation in ('begun', 'opened', 'repeated', 'refused', 'unanswered')),
        constraint order_payments_status check (status in ('in_process', 'paid', 'cancelled', 'failed'))
      )`);
    // A host app's ids are unique within its integration only.
    await runner.query('create unique index order_payments_by_key on order_payments (integration_id, order_payment_id)');
    await runner.query(`
      create index order_payments_awaited on order_payments (integration_id, created_at)
      where creation in ('begun', 'unanswered')`);
    await this.createCompletions(runner);
    await this.createDeliveries(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['deliveries', 'payment_conflicts', 'payment_completions_early', 'order_payments']) {
      await runner.query(`drop table ${table}`);
    }
  }

  private async createCompletions(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table payment_completions_early (
        integration_id text not null,
        order_payment_id text not null,
        status text not null,
        completion bytea not null,
        at timestamptz not null,
        constraint payment_completions_early_pkey primary key (integration_id, order_payment_id)
      )`);
    await runner.query(`
      create table payment_conflicts (
        integration_id text not null,
        order_payment_id text not null,
        report_digest bytea not null,
        kind text not null,
        completion bytea not null,
        request_id text not null,
        at timestamptz not null,
        constraint payment_conflicts_pkey primary key (integration_id, order_payment_id, report_digest)
      )`);
  }

  private async createDeliveries(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table deliveries (
        id text not null,
        integration_id text not null,
        kind text not null,
        key text not null,
        body bytea not null,
        state text not null,
        attempts integer not null default 0,
        due_at timestamptz not null,
        lease text,
        lease_until timestamptz,
        created_at timestamptz not null,
        constraint deliveries_pkey primary key (id)
      )`);
    await runner.query(`create index deliveries_due on deliveries (due_at) where state = 'ready'`);
    await runner.query('create index deliveries_by_integration on deliveries (integration_id, created_at)');
  }
}
