import type { DataSource, EntityManager } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { AuditEntry } from '../../../../domain/partners/ports';
import type { Removed, UserErasureRepository } from '../../../../domain/sso/erase-user';
import type { UserKey } from '../../../../domain/sso/user-data';
import { appendAudit } from '../audit/audit-statement';
import * as statements from './erasure-statements';
import { completionSealContext, conflictSealContext } from '../payments/payment-seals';
import { orderSealContext, type OrderPaymentRow, type PaymentConflictRow } from '../payments/payment.schema';
import { reportSealContext } from '../analytics/postgres-transaction-repository';
import { userDigest, type ReferenceIndex } from '../sealing/reference-index';
import { sealText } from '../sealing/sealed-text';
import { runIn, transaction, type Statement } from '../connection/statement';
import { strippedCompletionText, strippedOrderText, strippedReportText } from '../sealing/stripped-text';
import type { TransactionRow } from '../analytics/transaction.schema';

type PaymentRow = Pick<OrderPaymentRow, 'id' | 'integration_id' | 'order_payment_id' | 'sealed_order' | 'completion'>;
type ReportRow = Pick<TransactionRow, 'id' | 'sealed_report'>;
type Counts = { -readonly [K in keyof Removed]: number };

/** Removes a user from Postgres: first payments and reports in batches, then the rest together with its audit row. */
export class PostgresUserErasureRepository implements UserErasureRepository {
  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretCipher; readonly index: ReferenceIndex }) {}

  async erase(user: UserKey, audit: (removed: Removed, alias: string) => AuditEntry): Promise<Removed> {
    const { db, index } = this.deps;
    const { clientId, reference } = user;
    const alias = index.digest('erased-user', clientId, reference).toString('hex');
    const digest = userDigest(index, user);
    const counts: Counts = {
      users: 0,
      tokens: 0,
      consents: 0,
      consentEntries: 0,
      payments: 0,
      reports: 0,
      deliveries: 0,
      pendingDeliveries: 0,
    };
    await this.inBatches(async (manager) => {
      const rows = await runIn<PaymentRow>(manager, statements.paymentsOf, [digest]);
      for (const row of rows) await this.stripPayment(manager, row, counts);
      return rows.length;
    });
    await this.inBatches(async (manager) => {
      const rows = await runIn<ReportRow>(manager, statements.reportsOf, [digest]);
      for (const row of rows) await this.stripReport(manager, row, counts);
      return rows.length;
    });
    return transaction(db, async (manager) => {
      await this.removeRest(manager, clientId, digest, counts);
      await appendAudit(manager, audit(counts, alias));
      return counts;
    });
  }

  /**
   * Runs `strip` until it finds no more rows. Each batch is a transaction of its own, and a stripped row is not found again. `strip`
   * resolves to the number of rows it found.
   */
  private async inBatches(strip: (manager: EntityManager) => Promise<number>): Promise<void> {
    let found: number;
    do found = await transaction(this.deps.db, strip);
    while (found === statements.erasedAtOnce);
  }

  private async stripPayment(manager: EntityManager, row: PaymentRow, counts: Counts): Promise<void> {
    const { id, integration_id: integrationId, order_payment_id: orderPaymentId } = row;
    const order = await this.resealed(row.sealed_order, orderSealContext(id), strippedOrderText);
    const completion = row.completion && (await this.resealed(row.completion, completionSealContext(id), strippedCompletionText));
    await runIn(manager, statements.stripPayment, [id, order, completion]);
    counts.payments += 1;
    const deliveries = await runIn<{ pending: boolean }>(manager, statements.removeDelivery, [id]);
    for (const { pending } of deliveries) counts[pending ? 'pendingDeliveries' : 'deliveries'] += 1;
    if (orderPaymentId === null) return;
    const key = [integrationId, orderPaymentId];
    for (const conflict of await runIn<PaymentConflictRow>(manager, statements.conflictsOf, key)) {
      const context = conflictSealContext({ integrationId, orderPaymentId }, conflict.report_digest);
      const stripped = await this.resealed(conflict.completion, context, strippedCompletionText);
      await runIn(manager, statements.stripConflict, [...key, conflict.report_digest, stripped]);
    }
    const reports = await runIn<ReportRow>(manager, statements.reportsOfPayment, key);
    for (const report of reports) await this.stripReport(manager, report, counts);
  }

  private async stripReport(manager: EntityManager, { id, sealed_report: sealed }: ReportRow, counts: Counts): Promise<void> {
    await runIn(manager, statements.stripReport, [id, await this.resealed(sealed, reportSealContext(id), strippedReportText)]);
    counts.reports += 1;
  }

  private async removeRest(manager: EntityManager, clientId: string, digest: Buffer, counts: Counts): Promise<void> {
    const remove = async (statement: Statement, values: readonly unknown[]) => (await runIn(manager, statement, values)).length;
    counts.tokens = await remove(statements.removeTokens, [clientId, digest]);
    counts.users = await remove(statements.removeUser, [clientId, digest]);
    counts.consents = await remove(statements.removeConsents, [digest]);
    counts.consentEntries = await remove(statements.removeConsentEntries, [digest]);
  }

  private async resealed(sealed: Uint8Array, context: string, strip: (stored: Uint8Array) => Promise<string>): Promise<Buffer> {
    return sealText(this.deps.box, await strip(this.deps.box.open(sealed, context)), context);
  }
}
