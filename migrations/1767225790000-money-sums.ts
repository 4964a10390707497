import type { MigrationInterface, QueryRunner } from 'typeorm';

const changeColumns = `
        seq bigint generated always as identity,
        slot timestamptz not null`;

const reportedColumns = `
        client_id text collate "C" not null,
        app_id text collate "C" not null,
        integration_id text collate "C" not null,
        currency text collate "C" not null,
        status text collate "C" not null,
        count bigint not null,
        amount numeric not null,
        shipping numeric not null,
        tax numeric not null,
        discount numeric not null`;

const paidColumns = `
        integration_id text collate "C" not null,
        currency text collate "C" not null,
        count bigint not null,
        amount numeric not null`;

/** What counts of a payment for the sums: that it is paid, and how much; as a condition of a trigger it costs other updates nothing. */
const counted = (row: 'old' | 'new'): string =>
  ['status', 'integration_id', 'created_at', 'currency', 'amount'].map((column) => `${row}.${column}`).join(', ');

/**
 * Amounts by hours and days: of reported transactions, and of paid payments. Triggers note each addition in its own transaction, so the rows of
 * the version before are noted, too. The service sums the older records later.
 */
export class MoneySums1767225790000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table reported_changes (${changeColumns},${reportedColumns}, constraint reported_changes_pkey primary key (seq))`,
    );
    await runner.query(`create table paid_changes (${changeColumns},${paidColumns}, constraint paid_changes_pkey primary key (seq))`);
    await runner.query(`
      create table reported_sums (
        grain text not null,
        day date not null,
        slot timestamptz not null,${reportedColumns},
        constraint reported_sums_pkey primary key (grain, day, client_id, app_id, currency, status, slot, integration_id)
      )`);
    await runner.query('create index reported_sums_of_host_app on reported_sums (client_id, grain, day, app_id)');
    await runner.query('create index reported_sums_of_miniapp on reported_sums (app_id, grain, day, client_id)');
    await runner.query('create index reported_sums_of_pair on reported_sums (client_id, app_id, grain, day)');
    await runner.query(`
      create table paid_sums (
        grain text not null,
        slot timestamptz not null,${paidColumns},
        constraint paid_sums_pkey primary key (grain, integration_id, slot, currency)
      )`);
    await runner.query(`
      create table money_sum_progress (
        name text not null,
        since timestamptz not null,
        constraint money_sum_progress_pkey primary key (name)
      )`);
    await this.noteReported(runner);
    await this.notePaid(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger miniapp_transactions_note_new on miniapp_transactions');
    for (const name of ['new', 'change', 'end']) await runner.query(`drop trigger order_payments_note_paid_${name} on order_payments`);
    await runner.query('drop function note_reported()');
    await runner.query('drop function note_paid()');
    await runner.query('drop table money_sum_progress, reported_changes, reported_sums, paid_changes, paid_sums');
  }

  /** A report is never removed, and its amounts never change. */
  private async noteReported(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function note_reported() returns trigger language plpgsql as $$
      begin
        insert into reported_changes (slot, client_id, app_id, integration_id, currency, status, count, amount, shipping, tax, discount)
        select date_bin('1 hour', at, timestamptz 'epoch'), client_id, app_id, integration_id, currency, status, count(*), sum(amount),
          coalesce(sum(shipping), 0.00), coalesce(sum(tax), 0.00), coalesce(sum(discount), 0.00)
        from reported group by 1, 2, 3, 4, 5, 6;
        return null;
      end $$`);
    await runner.query(`
      create trigger miniapp_transactions_note_new after insert on miniapp_transactions referencing new table as reported
      for each statement execute function note_reported()`);
  }

  /** Of a row that is new `old` is null, of one that goes `new` is: neither is noted. */
  private async notePaid(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function note_paid() returns trigger language plpgsql as $$
      begin
        insert into paid_changes (slot, integration_id, currency, count, amount)
        select date_bin('1 hour', p.created_at, timestamptz 'epoch'), p.integration_id, upper(p.currency), p.count, p.count * p.amount
        from (values
          (old.status, old.integration_id, old.created_at, old.currency, old.amount, -1),
          (new.status, new.integration_id, new.created_at, new.currency, new.amount, 1)
        ) as p (status, integration_id, created_at, currency, amount, count)
        where p.status = 'paid' and p.currency is not null and p.amount is not null;
        return null;
      end $$`);
    const on = 'on order_payments for each row when';
    const note = 'execute function note_paid()';
    await runner.query(`create trigger order_payments_note_paid_new after insert ${on} (new.status = 'paid') ${note}`);
    await runner.query(`create trigger order_payments_note_paid_end after delete ${on} (old.status = 'paid') ${note}`);
    await runner.query(`
      create trigger order_payments_note_paid_change after update ${on} (
        (old.status = 'paid' or new.status = 'paid') and (${counted('old')}) is distinct from (${counted('new')})
      ) ${note}`);
  }
}
