import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments that are created together cost a statement each for creation and opening, and one note of the figures (ADR 065). */
export class PaymentCreationsByStatement1767225750000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.noteNewTogether(runner);
    await this.openTogether(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function open_order_payments(text[], text[], text[], integer)');
    await runner.query('drop trigger order_payments_note_new on order_payments');
    await runner.query('drop function note_new_payments()');
    await runner.query('drop trigger order_payments_note_row on order_payments');
    await runner.query(`
      create trigger order_payments_note_row after insert or delete on order_payments
      for each row execute function note_payment_change()`);
  }

  /** Rows that go are still noted one by one: only retention removes them. */
  private async noteNewTogether(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function note_new_payments() returns trigger language plpgsql as $$
      begin
        insert into payment_figure_changes (slot, integration_id, stage, ms, count)
        select date_bin('1 hour', created_at, timestamptz 'epoch'), integration_id,
          case when status <> 'in_process' then 'final' when creation = 'opened' then 'accepted' else 'created' end,
          date_part('epoch', settled_at - created_at) * 1000, count(*)
        from created where creation <> 'repeated'
        group by 1, 2, 3, 4;
        return null;
      end $$`);
    await runner.query('drop trigger order_payments_note_row on order_payments');
    await runner.query(`
      create trigger order_payments_note_row after delete on order_payments
      for each row execute function note_payment_change()`);
    await runner.query(`
      create trigger order_payments_note_new after insert on order_payments referencing new table as created
      for each statement execute function note_new_payments()`);
  }

  /**
   * Its second statement sees all that was committed before the keys were locked, which one statement alone would not. What has a completion
   * or a payment already is left to the transaction that applies it. The limit: see `findAll` in payment-statements.ts. With `offset 0` the two
   * subqueries are looked up for each row; without, a plan made on a small table would read the table instead, and be kept as it grows.
   */
  private async openTogether(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function open_order_payments(intents text[], integrations text[], keys text[], given integer) returns setof text language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(place) from (
          select hashtextextended(json_build_array(integration, key)::text, 0) as place from unnest(integrations, keys) as k (integration, key) order by 1
        ) places;
        return query
        update order_payments p set order_payment_id = k.key, creation = 'opened', ended_at = now()
        from (select * from unnest(intents, integrations, keys) as u (intent, integration, key) limit given) k
        where p.id = k.intent and p.integration_id is not distinct from k.integration
          and p.order_payment_id is null and p.creation <> 'repeated'
          and not exists (
            select from payment_completions_early e where e.integration_id = k.integration and e.order_payment_id = k.key offset 0)
          and not exists (
            select from order_payments o
            where o.order_payment_id = k.key and (o.order_payment_id, o.integration_id) between (k.key, k.integration) and (k.key, k.integration) offset 0)
        returning p.id;
      end $$`);
  }
}
