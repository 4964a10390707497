import type { TransactionKey, TransactionLedger } from '../../../domain/analytics/ports';
import { contentOf, type KeptTransaction } from '../../../domain/analytics/transaction-report';
import { requireIds } from '../../../domain/shared/required-id';

/** Reported transactions in memory. Nothing is awaited between reading and writing, so nobody writes in between. */
export class MemoryTransactionLedger implements TransactionLedger {
  private readonly kept = new Map<string, KeptTransaction>();

  async keep(transactions: readonly KeptTransaction[]): Promise<readonly string[]> {
    const fresh = new Map<string, KeptTransaction>();
    const contradicted: string[] = [];
    for (const transaction of transactions) {
      const name = nameOf({ integrationId: transaction.integrationId, transactionId: transaction.report.transactionId });
      const known = this.kept.get(name);
      if (!known) fresh.set(name, transaction);
      else if (contentOf(known.report) !== contentOf(transaction.report)) contradicted.push(transaction.report.transactionId);
    }
    if (contradicted.length === 0) for (const [name, transaction] of fresh) this.kept.set(name, transaction);
    return contradicted;
  }

  async find(key: TransactionKey): Promise<KeptTransaction | undefined> {
    return this.kept.get(nameOf(key));
  }
}

/** Throws MissingId. */
const nameOf = ({ integrationId, transactionId }: TransactionKey): string => {
  requireIds({ integrationId, transactionId });
  return JSON.stringify([integrationId, transactionId]);
};
