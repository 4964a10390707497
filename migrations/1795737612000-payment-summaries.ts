import { StatementMigration } from './statement-migration';

/** The part of an order that a list shows, beside the order. */
export class PaymentSummaries1795737612000 extends StatementMigration {
  protected readonly created = ['alter table order_payments add column sealed_summary bytea'];

  protected readonly dropped = ['alter table order_payments drop column sealed_summary'];
}
