import {
  reportedStatuses,
  type Amount,
  type ReportedStatus,
  type TransactionReport,
} from '../../../../domain/analytics/transaction-report';
import { InvalidInput, type FieldProblem } from '../../../../domain/shared/errors';
import { JsonObject, type Json, type JsonArray } from '../../../../domain/shared/json';
import { DateTime, Decimal, Id, JsonItems, JsonMembers, OneOf, Optional, Person, Required, Text } from '../../../dto/decorators';
import { readDto } from '../../../dto/read-dto';

/** Beside the ids, which stand in headers: nothing. The records are read from the body by `readReports`. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- each route declares a DTO, and this one has no members
export class MiniappTransactionsDto {}

/** One transaction as a miniapp reports it (contract/analytics#miniapp-transactions). */
export class TransactionDto {
  @Required() @Id({ min: 1, max: 255 }) transaction_id!: string;
  @Required() @Decimal() amount!: Amount;
  @Required() @Text({ min: 1, max: 20 }) currency!: string;
  @Optional() @OneOf(reportedStatuses) status?: ReportedStatus;
  @Optional() @Id({ max: 100 }) user_reference?: string;
  @Optional() @Id({ max: 255 }) miniapp_order_id?: string;
  @Optional() @Id({ max: 255 }) order_payment_id?: string;
  @Optional() @Decimal() shipping?: Amount;
  @Optional() @Decimal() tax?: Amount;
  @Optional() @Decimal() discount?: Amount;
  @Optional() @JsonItems() items?: JsonArray;
  @Optional() @Person() customer?: JsonObject;
  @Optional() @DateTime() occurred_at?: string;
  @Optional() @JsonMembers() custom_attributes?: JsonObject;
}

const mostRecords = 500;
/** A body can break more rules than an answer should hold. */
const mostProblems = 100;

/** Where a field of the record with this index stands in the body. */
export const pathIn = (body: Json, index: number, field: string): string => (Array.isArray(body) ? `[${index}].${field}` : field);

/**
 * The reports of a body: one record, or a list of 1 to 500. Throws INVALID_INPUT with each problem, by its
 * path (`[3].amount`), the first hundred.
 */
export function readReports(body: Json): TransactionReport[] {
  const records: JsonArray = Array.isArray(body) ? body : [body];
  if (records.length === 0 || records.length > mostRecords) {
    throw new InvalidInput([{ path: '[]', rule: `1 to ${mostRecords} records` }]);
  }
  const problems: FieldProblem[] = [];
  const reports = records.map((record, i) => {
    if (!(record instanceof JsonObject)) problems.push({ path: `[${i}]`, rule: 'must be an object' });
    const read = readDto(TransactionDto, record instanceof JsonObject ? record : new JsonObject(new Map()));
    if (record instanceof JsonObject) problems.push(...read.problems.map(({ path, rule }) => ({ path: pathIn(body, i, path), rule })));
    return reportOf(read.dto);
  });
  if (problems.length > 0) throw new InvalidInput(problems.slice(0, mostProblems));
  return reports;
}

const reportOf = (facts: TransactionDto): TransactionReport => ({
  transactionId: facts.transaction_id,
  amount: facts.amount,
  currency: facts.currency,
  status: facts.status ?? 'paid',
  shipping: facts.shipping,
  tax: facts.tax,
  discount: facts.discount,
  orderPaymentId: facts.order_payment_id,
  miniappOrderId: facts.miniapp_order_id,
  userReference: facts.user_reference,
  occurredAt: facts.occurred_at,
  items: facts.items,
  customer: facts.customer,
  customAttributes: facts.custom_attributes,
});
