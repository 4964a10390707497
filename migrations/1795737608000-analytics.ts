import { StatementMigration } from './statement-migration';

/** Transactions that miniapps report. */
export class Analytics1795737608000 extends StatementMigration {
  protected readonly created = [
    `create table miniapp_transactions (
       id text collate "C" not null,
       integration_id text not null,
       client_id text not null,
       app_id text not null,
       transaction_id text not null,
       content_digest bytea not null,
       status text not null,
       currency text not null,
       amount numeric(22,2) not null,
       amount_text text not null,
       shipping numeric(22,2),
       tax numeric(22,2),
       discount numeric(22,2),
       order_payment_id text,
       miniapp_order_id text,
       sealed_report bytea not null,
       at timestamptz not null,
       received_at timestamptz not null,
       request_id text not null,
       user_digest bytea,
       constraint miniapp_transactions_pkey primary key (id),
       constraint miniapp_transactions_one_content check (octet_length(content_digest) = 32),
       constraint miniapp_transactions_status check (status in ('paid', 'cancelled', 'failed', 'in_process', 'refunded'))
     )`,
    'create index miniapp_transactions_by_time on miniapp_transactions (at, id)',
    'create index miniapp_transactions_by_user on miniapp_transactions (user_digest) where user_digest is not null',
    `create index miniapp_transactions_not_paid on miniapp_transactions (status, at, id) where status <> 'paid'`,
    'create index miniapp_transactions_of_currency on miniapp_transactions (currency, at)',
    'create index miniapp_transactions_of_host_app on miniapp_transactions (client_id, at, id)',
    'create unique index miniapp_transactions_of_key on miniapp_transactions (transaction_id, integration_id)',
    'create index miniapp_transactions_of_miniapp on miniapp_transactions (app_id, at, id)',
    'create index miniapp_transactions_of_order on miniapp_transactions (miniapp_order_id) where miniapp_order_id is not null',
    'create index miniapp_transactions_of_payment on miniapp_transactions (order_payment_id, integration_id) where order_payment_id is not null',
  ];

  protected readonly dropped = ['drop table miniapp_transactions'];
}
