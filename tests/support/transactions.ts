import { keptTransaction, type KeptTransaction, type TransactionReport } from '../../src/domain/analytics/transaction-report';
import { JsonNumber, type JsonArray, type JsonObject } from '../../src/domain/shared/json';
import { readJsonText } from '../../src/domain/shared/read-json';

/** A report with every field, in forms that are easily lost. */
export const aReport = (more: Partial<TransactionReport> = {}): TransactionReport => ({
  transactionId: 'tx-1 €',
  amount: new JsonNumber('12345678901234567.10'),
  currency: 'USD',
  status: 'paid',
  shipping: '1.10',
  tax: new JsonNumber('1E2'),
  discount: '0.00',
  orderPaymentId: 'op-1',
  miniappOrderId: 'order-1',
  userReference: 'üser-1',
  occurredAt: '2026-01-02T03:04:05.678901+01:00',
  items: readJsonText('[{"z":1.10,"a":null},2]') as JsonArray,
  customer: readJsonText('{"name":"Mia","__proto__":{"x":1}}') as JsonObject,
  customAttributes: readJsonText('{"b":1e400,"a":[{"d":1,"c":2}]}') as JsonObject,
  ...more,
});

export const receivedAt = Date.UTC(2026, 0, 5, 12);

let made = 0;

/** A report as it is kept, under an id that no other one has and that rises. */
export function aTransaction(more: Partial<TransactionReport> = {}, origin: Partial<KeptTransaction> = {}): KeptTransaction {
  const id = origin.id ?? `t${String(++made).padStart(6, '0')}`;
  const of = { integrationId: 'int_1', clientId: 'host_1', appId: 'app_1', requestId: 'req-1', receivedAt, ...origin };
  return keptTransaction(id, aReport(more), of);
}
