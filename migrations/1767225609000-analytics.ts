import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Transactions as miniapps report them, and what of an order they are compared with. */
export class Analytics1767225609000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table miniapp_transactions (
        id text collate "C" not null,
        integration_id text not null,
        client_id text not null,
        app_id text not null,
        transaction_id text not null,
        content_digest bytea not null,
        status text not null,
        currency text not null,
        amount numeric(22, 2) not null,
        amount_text text not null,
        shipping numeric(22, 2),
        tax numeric(22, 2),
        discount numeric(22, 2),
        order_payment_id text,
        miniapp_order_id text,
        sealed_report bytea not null,
        at timestamptz not null,
        received_at timestamptz not null,
        request_id text not null,
        constraint miniapp_transactions_pkey primary key (id),
        constraint miniapp_transactions_one_content check (octet_length(content_digest) = 32),
        constraint miniapp_transactions_status check (status in ('paid', 'cancelled', 'failed', 'in_process', 'refunded'))
      )`);
    await runner.query('create unique index miniapp_transactions_by_key on miniapp_transactions (integration_id, transaction_id)');
    await runner.query('create index miniapp_transactions_by_time on miniapp_transactions (at, id)');
    await runner.query('create index miniapp_transactions_by_pair on miniapp_transactions (client_id, app_id, at, id)');
    await runner.query(`
      create index miniapp_transactions_by_payment on miniapp_transactions (integration_id, order_payment_id)
      where order_payment_id is not null`);
    // Orders from before stay without: their amounts are sealed.
    await runner.query('alter table order_payments add column currency text, add column amount numeric');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table order_payments drop column currency, drop column amount');
    await runner.query('drop table miniapp_transactions');
  }
}
