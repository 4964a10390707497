import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When payments in process are asked about, which host apps are left alone, and results that no payment was opened for. */
export class Reconciliation1767225621000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table order_payments
        add column asked_of text collate "C",
        add column ask_at timestamptz,
        add column asks integer not null default 0,
        add column asked_at timestamptz,
        add column ask_outcome text,
        add column ask_lease text,
        add column ask_lease_until timestamptz`);
    await runner.query(`
      update order_payments p set asked_of = i.client_id, ask_at = greatest(p.created_at + interval '1 minute', now())
      from integrations i
      where i.id = p.integration_id and p.status = 'in_process' and p.order_payment_id is not null and p.created_at > now() - interval '1 day'`);
    await runner.query(`
      create index order_payments_to_ask on order_payments (asked_of, ask_at)
      where status = 'in_process' and order_payment_id is not null and ask_at is not null`);
    await runner.query('create index order_payments_under_ask on order_payments (asked_of) where ask_lease_until is not null');
    await runner.query(`
      create table asked_host_apps (
        client_id text collate "C" not null,
        failures integer not null,
        quiet_until timestamptz,
        turn_at timestamptz not null,
        constraint asked_host_apps_pkey primary key (client_id)
      )`);
    await runner.query('alter table payment_completions_early add column unmatched_since timestamptz');
    await runner.query('create index payment_completions_early_awaited on payment_completions_early (at) where unmatched_since is null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index payment_completions_early_awaited');
    await runner.query('alter table payment_completions_early drop column unmatched_since');
    await runner.query('drop table asked_host_apps');
    await runner.query('drop index order_payments_under_ask');
    await runner.query('drop index order_payments_to_ask');
    await runner.query(`
      alter table order_payments
        drop column asked_of, drop column ask_at, drop column asks, drop column asked_at, drop column ask_outcome,
        drop column ask_lease, drop column ask_lease_until`);
  }
}
