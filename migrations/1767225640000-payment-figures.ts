import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Payments by hours and half-days, and what has changed of them since they were summed. The database itself notes each change, in
 * the transaction that makes it: also what a version of before writes, which knows nothing of it.
 */
export class PaymentFigures1767225640000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table payment_figure_changes (
        seq bigint generated always as identity,
        slot timestamptz not null,
        integration_id text collate "C" not null,
        stage text not null,
        ms double precision,
        count integer not null,
        constraint payment_figure_changes_pkey primary key (seq)
      )`);
    await runner.query(`
      create table payment_figure_sums (
        grain text not null,
        scope text collate "C" not null,
        slot timestamptz not null,
        stage text not null,
        bar integer not null,
        step integer not null,
        count bigint not null,
        constraint payment_figure_sums_pkey primary key (grain, scope, slot, stage, bar, step)
      )`);
    await runner.query(`
      create table payment_figure_progress (
        name text not null,
        since timestamptz not null,
        constraint payment_figure_progress_pkey primary key (name)
      )`);
    await this.noteChanges(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger order_payments_note_change on order_payments');
    await runner.query('drop trigger order_payments_note_row on order_payments');
    await runner.query('drop function note_payment_change()');
    await runner.query('drop table payment_figure_progress, payment_figure_sums, payment_figure_changes');
  }

  /** Of a row that is new `old` is null, of one that goes `new` is: neither is noted. */
  private async noteChanges(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function note_payment_change() returns trigger language plpgsql as $$
      begin
        insert into payment_figure_changes (slot, integration_id, stage, ms, count)
        select date_bin('1 hour', p.created_at, timestamptz 'epoch'), p.integration_id,
          case when p.status <> 'in_process' then 'final' when p.creation = 'opened' then 'accepted' else 'created' end,
          date_part('epoch', p.settled_at - p.created_at) * 1000, p.count
        from (values
          (old.integration_id, old.creation, old.status, old.created_at, old.settled_at, -1),
          (new.integration_id, new.creation, new.status, new.created_at, new.settled_at, 1)
        ) as p (integration_id, creation, status, created_at, settled_at, count)
        where p.creation <> 'repeated';
        return null;
      end $$`);
    await runner.query(`
      create trigger order_payments_note_row after insert or delete on order_payments
      for each row execute function note_payment_change()`);
    await runner.query(`
      create trigger order_payments_note_change after update on order_payments for each row
      when ((old.integration_id, old.creation, old.status, old.created_at, old.settled_at)
        is distinct from (new.integration_id, new.creation, new.status, new.created_at, new.settled_at))
      execute function note_payment_change()`);
  }
}
