import type { RecordTransactions } from '../../../../domain/analytics/record-transactions';
import { JsonObject } from '../../../../domain/shared/json';
import type { Action } from './api-route';
import { pathIn, readReports, type MiniappTransactionsDto } from './analytics.dto';

/** POST analytics/miniapp-transactions: a miniapp reports purchases. */
export class AnalyticsController {
  constructor(private readonly deps: { recordTransactions: RecordTransactions }) {}

  /** Answers one record with one result, and a list with a list in the same order. */
  record: Action<MiniappTransactionsDto> = async ({ relay, integration, body }) => {
    const reports = readReports(body);
    const idPath = (index: number): string => pathIn(body, index, 'transaction_id');
    await this.deps.recordTransactions.execute({ relay, integration, reports, idPath });
    const accepted = reports.map(({ transactionId }) => JsonObject.of({ transaction_id: transactionId, status: 'accepted' }));
    return Array.isArray(body) ? JsonObject.of({ results: accepted }) : (accepted[0] ?? null);
  };
}
