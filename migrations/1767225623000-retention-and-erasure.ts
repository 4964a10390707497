import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns and indexes to remove deliveries that ended, and to find everything of one user. */
export class RetentionAndErasure1767225623000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create index deliveries_ended on deliveries (state, ended_at) where state <> 'ready'`);
    // Sealed values of earlier users are not found: their rows have no digest.
    await runner.query('alter table order_payments add column user_digest bytea, add column erased_at timestamptz');
    await runner.query('create index order_payments_by_user on order_payments (user_digest) where user_digest is not null');
    await runner.query('alter table miniapp_transactions add column user_digest bytea');
    await runner.query('create index miniapp_transactions_by_user on miniapp_transactions (user_digest) where user_digest is not null');
    await runner.query(`
      create table erased_deliveries (
        delivery_id text not null,
        constraint erased_deliveries_pkey primary key (delivery_id)
      )`);
    await this.keepRemovedIntegrations(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger integrations_keep_id on integrations');
    await runner.query('drop function keep_removed_integration()');
    await runner.query('drop table removed_integrations, erased_deliveries');
    await runner.query('drop index miniapp_transactions_by_user, order_payments_by_user, deliveries_ended');
    await runner.query('alter table miniapp_transactions drop column user_digest');
    await runner.query('alter table order_payments drop column user_digest, drop column erased_at');
  }

  /** Consents and payments outlive their integration, and know it by its id alone. */
  private async keepRemovedIntegrations(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table removed_integrations (
        id text collate "C" not null,
        client_id text collate "C" not null,
        app_id text collate "C" not null,
        constraint removed_integrations_pkey primary key (id)
      )`);
    await runner.query('create index removed_integrations_by_host_app on removed_integrations (client_id)');
    await runner.query(`
      create function keep_removed_integration() returns trigger language plpgsql as $$
      begin
        insert into removed_integrations (id, client_id, app_id) values (old.id, old.client_id, old.app_id);
        return null;
      end $$`);
    await runner.query(`
      create trigger integrations_keep_id after delete on integrations
      for each row execute function keep_removed_integration()`);
  }
}
