import { StatementMigration } from './statement-migration';

/** Counts and sums of payments and of reported transactions: each change is noted with what causes it and added up later. */
export class PaymentFigures1795737610000 extends StatementMigration {
  protected readonly created = [
    `create table payment_figure_changes (
       seq bigint generated always as identity,
       slot timestamptz not null,
       integration_id text collate "C" not null,
       stage text not null,
       ms double precision,
       count integer not null,
       constraint payment_figure_changes_pkey primary key (seq)
     )`,
    `create table payment_figure_sums (
       grain text not null,
       scope text collate "C" not null,
       slot timestamptz not null,
       stage text not null,
       bar integer not null,
       step integer not null,
       count bigint not null,
       constraint payment_figure_sums_pkey primary key (grain, scope, slot, stage, bar, step)
     )`,
    `create table payment_figure_progress (
       name text not null,
       since timestamptz not null,
       constraint payment_figure_progress_pkey primary key (name)
     )`,
    `create table paid_changes (
       seq bigint generated always as identity,
       slot timestamptz not null,
       integration_id text collate "C" not null,
       currency text collate "C" not null,
       count bigint not null,
       amount numeric not null,
       constraint paid_changes_pkey primary key (seq)
     )`,
    `create table paid_sums (
       grain text not null,
       slot timestamptz not null,
       integration_id text collate "C" not null,
       currency text collate "C" not null,
       count bigint not null,
       amount numeric not null,
       constraint paid_sums_pkey primary key (grain, integration_id, slot, currency)
     )`,
    `create table reported_changes (
       seq bigint generated always as identity,
       slot timestamptz not null,
       client_id text collate "C" not null,
       app_id text collate "C" not null,
       integration_id text collate "C" not null,
       currency text collate "C" not null,
       status text collate "C" not null,
       count bigint not null,
       amount numeric not null,
       shipping numeric not null,
       tax numeric not null,
       discount numeric not null,
       constraint reported_changes_pkey primary key (seq)
     )`,
    `create table reported_sums (
       grain text not null,
       day date not null,
       slot timestamptz not null,
       client_id text collate "C" not null,
       app_id text collate "C" not null,
       integration_id text collate "C" not null,
       currency text collate "C" not null,
       status text collate "C" not null,
       count bigint not null,
       amount numeric not null,
       shipping numeric not null,
       tax numeric not null,
       discount numeric not null,
       constraint reported_sums_pkey primary key (grain, day, client_id, app_id, currency, status, slot, integration_id)
     )`,
    'create index reported_sums_of_host_app on reported_sums (client_id, grain, day, app_id)',
    'create index reported_sums_of_miniapp on reported_sums (app_id, grain, day, client_id)',
    'create index reported_sums_of_pair on reported_sums (client_id, app_id, grain, day)',
    `create table money_sum_progress (
       name text not null,
       since timestamptz not null,
       constraint money_sum_progress_pkey primary key (name)
     )`,
    `create function note_new_payments() returns trigger language plpgsql as $$
     begin
       insert into payment_figure_changes (slot, integration_id, stage, ms, count)
       select date_bin('1 hour', created_at, timestamptz 'epoch'), integration_id,
         case when status <> 'in_process' then 'final' when creation = 'opened' then 'accepted' else 'created' end,
         date_part('epoch', settled_at - created_at) * 1000, count(*)
       from created where creation <> 'repeated'
       group by 1, 2, 3, 4;
       return null;
     end $$`,
    `create function note_payment_changes() returns trigger language plpgsql as $$
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
     end $$`,
    `create function note_payment_change() returns trigger language plpgsql as $$
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
     end $$`,
    `create function note_paid() returns trigger language plpgsql as $$
     begin
       insert into paid_changes (slot, integration_id, currency, count, amount)
       select date_bin('1 hour', p.created_at, timestamptz 'epoch'), p.integration_id, upper(p.currency), p.count, p.count * p.amount
       from (values
         (old.status, old.integration_id, old.created_at, old.currency, old.amount, -1),
         (new.status, new.integration_id, new.created_at, new.currency, new.amount, 1)
       ) as p (status, integration_id, created_at, currency, amount, count)
       where p.status = 'paid' and p.currency is not null and p.amount is not null;
       return null;
     end $$`,
    `create function note_reported() returns trigger language plpgsql as $$
     begin
       insert into reported_changes (slot, client_id, app_id, integration_id, currency, status, count, amount, shipping, tax, discount)
       select date_bin('1 hour', at, timestamptz 'epoch'), client_id, app_id, integration_id, currency, status, count(*), sum(amount),
         coalesce(sum(shipping), 0.00), coalesce(sum(tax), 0.00), coalesce(sum(discount), 0.00)
       from reported group by 1, 2, 3, 4, 5, 6;
       return null;
     end $$`,
    `create trigger order_payments_note_changes after update on order_payments
     referencing old table as before new table as after for each statement execute function note_payment_changes()`,
    `create trigger order_payments_note_new after insert on order_payments
     referencing new table as created for each statement execute function note_new_payments()`,
    `create trigger order_payments_note_paid_change after update on order_payments for each row
     when (
       (old.status = 'paid' or new.status = 'paid')
       and (old.status, old.integration_id, old.created_at, old.currency, old.amount)
         is distinct from (new.status, new.integration_id, new.created_at, new.currency, new.amount)
     )
     execute function note_paid()`,
    `create trigger order_payments_note_paid_end after delete on order_payments for each row when (old.status = 'paid') execute function note_paid()`,
    `create trigger order_payments_note_paid_new after insert on order_payments for each row when (new.status = 'paid') execute function note_paid()`,
    'create trigger order_payments_note_row after delete on order_payments for each row execute function note_payment_change()',
    `create trigger miniapp_transactions_note_new after insert on miniapp_transactions
     referencing new table as reported for each statement execute function note_reported()`,
  ];

  protected readonly dropped = [
    'drop trigger order_payments_note_changes on order_payments',
    'drop trigger order_payments_note_new on order_payments',
    'drop trigger order_payments_note_paid_change on order_payments',
    'drop trigger order_payments_note_paid_end on order_payments',
    'drop trigger order_payments_note_paid_new on order_payments',
    'drop trigger order_payments_note_row on order_payments',
    'drop trigger miniapp_transactions_note_new on miniapp_transactions',
    `drop table
       money_sum_progress, reported_sums, reported_changes,
       paid_sums, paid_changes, payment_figure_progress, payment_figure_sums, payment_figure_changes`,
    'drop function note_new_payments(), note_payment_changes(), note_payment_change(), note_paid(), note_reported()',
  ];
}
