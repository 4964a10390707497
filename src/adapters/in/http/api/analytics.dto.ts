import {
  reportedStatuses,
  type Amount,
  type ReportedStatus,
  type TransactionReport,
} from '../../../../domain/analytics/transaction-report';
import { InvalidInput, type FieldProblem } from '../../../../domain/shared/errors';
import type { Json, JsonArray, JsonObject } from '../../../../domain/shared/json';
import {
  DateTime,
  Decimal,
  Description,
  Id,
  JsonItems,
  JsonMembers,
  OneOf,
  Optional,
  Person,
  Required,
  Text,
} from '../../../dto/decorators';
import { maxProblems } from '../../../dto/read-dto';
import { readDtoList } from '../../../dto/read-dto-list';

/** Has no fields: the ids are in headers, and `readReports` reads the records from the body. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- each route declares a DTO, and this one has no members
export class MiniappTransactionsDto {}

/** One transaction that a miniapp reports (contract/analytics#miniapp-transactions). */
@Description('One purchase in the miniapp, as the miniapp reports it.')
export class TransactionDto {
  @Required('Id that the miniapp chose; the same record again counts once, another record under it is refused.')
  @Id({ min: 1, max: 255 })
  transaction_id!: string;
  @Required('Total that the user paid or was to pay, in the unit of `currency`.') @Decimal() amount!: Amount;
  @Required('Currency of all amounts of the record, such as `USD`.') @Text({ min: 1, max: 20 }) currency!: string;
  @Optional('State of the purchase when it was reported; absent means `paid`.') @OneOf(reportedStatuses) status?: ReportedStatus;
  @Optional('Reference of the buyer at the host app; absent for a buyer whom the miniapp does not know.')
  @Id({ max: 100 })
  user_reference?: string;
  @Optional('Order in the miniapp that the purchase belongs to.') @Id({ max: 255 }) miniapp_order_id?: string;
  @Optional('Payment from create-order-payment that paid it; differences between the two are then listed.')
  @Id({ max: 255 })
  order_payment_id?: string;
  @Optional('Part of `amount` that paid for the transport.') @Decimal() shipping?: Amount;
  @Optional('Tax contained in `amount`.') @Decimal() tax?: Amount;
  @Optional('Reduction that the buyer got; `amount` is what remains.') @Decimal() discount?: Amount;
  @Optional('Lines of the order in any form; stored, and never interpreted.') @JsonItems() items?: JsonArray;
  @Optional('The buyer as the miniapp knows them.') @Person() customer?: JsonObject;
  @Optional('When the purchase was made; absent means when the report arrived.') @DateTime() occurred_at?: string;
  @Optional('Further data of the miniapp about the purchase, stored as sent.') @JsonMembers() custom_attributes?: JsonObject;
}

const maxRecords = 500;

/** Path of a field of the record at this index in the body. */
export const pathIn = (body: Json, index: number, field: string): string => (Array.isArray(body) ? `[${index}].${field}` : field);

/** Reads one record or a list of 1 to 500. Throws INVALID_INPUT with each problem, by its path (`[3].amount`), the first hundred. */
export function readReports(body: Json): TransactionReport[] {
  const records: JsonArray = Array.isArray(body) ? body : [body];
  if (records.length === 0 || records.length > maxRecords) {
    throw new InvalidInput([{ path: '[]', rule: `1 to ${maxRecords} records` }]);
  }
  const readings = readDtoList(TransactionDto, records);
  const problems = readings.flatMap((read, i): FieldProblem[] =>
    read.problems.map(({ path, rule }) => ({ path: path === '' ? `[${i}]` : pathIn(body, i, path), rule })),
  );
  if (problems.length > 0) throw new InvalidInput(problems.slice(0, maxProblems));
  return readings.map(({ dto }) => reportOf(dto));
}

const reportOf = (fields: TransactionDto): TransactionReport => ({
  transactionId: fields.transaction_id,
  amount: fields.amount,
  currency: fields.currency,
  status: fields.status ?? 'paid',
  shipping: fields.shipping,
  tax: fields.tax,
  discount: fields.discount,
  orderPaymentId: fields.order_payment_id,
  miniappOrderId: fields.miniapp_order_id,
  userReference: fields.user_reference,
  occurredAt: fields.occurred_at,
  items: fields.items,
  customer: fields.customer,
  customAttributes: fields.custom_attributes,
});
