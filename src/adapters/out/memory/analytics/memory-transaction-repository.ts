import { createHash } from 'node:crypto';
import type { TransactionKey, TransactionRepository } from '../../../../domain/analytics/ports';
import { contentOf, type KeptTransaction, type TransactionReport } from '../../../../domain/analytics/transaction-report';
import type { PaymentKey } from '../../../../domain/payments/ports';
import { printJson } from '../../../../domain/shared/print-json';
import { requireIds } from '../../../../domain/shared/required-id';
import type { UserKey } from '../../../../domain/sso/user-data';
import { strippedReport } from '../../../../domain/sso/stripped';

/** Reported transactions in memory. There is no `await` between read and write, so changes are atomic. */
export class MemoryTransactionRepository implements TransactionRepository {
  private readonly kept = new Map<string, KeptTransaction>();
  /** The original content digests of stripped reports, by name. */
  private readonly contents = new Map<string, string>();

  async keep(transactions: readonly KeptTransaction[]): Promise<readonly string[]> {
    const fresh = new Map<string, KeptTransaction>();
    const contradicted: string[] = [];
    for (const transaction of transactions) {
      const name = nameOf({ integrationId: transaction.integrationId, transactionId: transaction.report.transactionId });
      const known = this.kept.get(name);
      if (!known) fresh.set(name, transaction);
      else if ((this.contents.get(name) ?? digestOf(known.report)) !== digestOf(transaction.report))
        contradicted.push(transaction.report.transactionId);
    }
    if (contradicted.length === 0) for (const [name, transaction] of fresh) this.kept.set(name, transaction);
    return contradicted;
  }

  async find(key: TransactionKey): Promise<KeptTransaction | undefined> {
    return this.kept.get(nameOf(key));
  }

  /** Removes the data of a user from the reports on the user and on these payments; returns the number of reports. */
  strip({ clientId, reference }: UserKey, payments: readonly PaymentKey[]): number {
    const found = [...this.kept].filter(
      ([, { clientId: of, integrationId, report }]) =>
        (of === clientId && report.userReference === reference) ||
        payments.some((key) => key.integrationId === integrationId && key.orderPaymentId === report.orderPaymentId),
    );
    for (const [name, transaction] of found) {
      this.contents.set(name, this.contents.get(name) ?? digestOf(transaction.report));
      this.kept.set(name, { ...transaction, report: strippedReport(transaction.report) });
    }
    return found.length;
  }
}

/** A digest of a report's content, to compare it with a repeat. */
const digestOf = (report: TransactionReport): string =>
  createHash('sha256')
    .update(printJson(contentOf(report), { sortKeys: true }), 'utf8')
    .digest('hex');

/** Throws MissingId. */
const nameOf = ({ integrationId, transactionId }: TransactionKey): string => {
  requireIds({ integrationId, transactionId });
  return JSON.stringify([integrationId, transactionId]);
};
