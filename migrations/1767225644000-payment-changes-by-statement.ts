import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of payments are noted once for each statement that makes them, and those that count the same together (ADR 048). */
export class PaymentChangesByStatement1767225644000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function note_payment_changes() returns trigger language plpgsql as $$
      begin
        insert into payment_figure_changes (slot, integration_id, stage, ms, count)
        select date_bin('1 hour', created_at, timestamptz 'epoch'), integration_id,
          case when status <> 'in_process' then 'final' when creation = 'opened' then 'accepted' else 'created' end,
          date_part('epoch', settled_at - created_at) * 1000, sum(count)
        from (
          select integration_id, creation, status, created_at, settled_at, -1 as count from before
          union all
          select integration_id, creation, status, created_at, settled_at, 1 from after
        ) as p
        where creation <> 'repeated'
        group by 1, 2, 3, 4 having sum(count) <> 0;
        return null;
      end $$`);
    await runner.query('drop trigger order_payments_note_change on order_payments');
    await runner.query(`
      create trigger order_payments_note_changes after update on order_payments referencing old table as before new table as after
      for each statement execute function note_payment_changes()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger order_payments_note_changes on order_payments');
    await runner.query('drop function note_payment_changes()');
    await runner.query(`
      create trigger order_payments_note_change after update on order_payments for each row
      when ((old.integration_id, old.creation, old.status, old.created_at, old.settled_at)
        is distinct from (new.integration_id, new.creation, new.status, new.created_at, new.settled_at))
      execute function note_payment_change()`);
  }
}
