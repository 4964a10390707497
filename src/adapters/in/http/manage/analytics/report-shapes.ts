import { reportedStatuses } from '../../../../../domain/analytics/transaction-report';
import { statusOfWord } from '../../../../../domain/payments/order-payment';
import { count, day, list, members, object, oneOf, text, time, type Member, type Members, type Schema } from '../../../../dto/schema';
import { pair, requestIdOfCall } from '../../../../dto/shared-members';

const currency: Member = [text, 'Currency of the amounts, as it was written.'];
const dayOfReport: Member = [day, 'Calendar day in UTC.'];

const sideSchema = (statuses: readonly string[]): Schema =>
  members({
    status: [oneOf(...statuses), 'Status that this side knows.'],
    'amount?': [text, 'Amount that this side knows; absent where it has no form that can be compared.'],
    'currency?': [text, 'Currency that this side knows; absent where none is known.'],
    at: [time, 'When this side came to know it.'],
  });

const paid = (by: string): Schema =>
  members({
    count: [count, `Payments of the day that were paid, as they were ${by}.`],
    amount: [text, `Sum of their amounts as they were ${by}, a decimal in text.`],
  });

const parts: Members = {
  'shipping?': [text, 'Part of the amount for the transport; absent where none was reported.'],
  'tax?': [text, 'Part of the amount that is tax; absent where none was reported.'],
  'discount?': [text, 'Reduction that the buyer got; absent where none was reported.'],
};

/** Schemas of miniapps' reports, compared with relayed payments. */
export const reportShapes: Readonly<Record<string, Schema>> = {
  ReportedTransaction: object('A purchase as a miniapp reported it, without anything of the buyer.', {
    id: [text, 'Id of the report inside the service.'],
    transaction_id: [text, 'Id that the miniapp gave the purchase.'],
    ...pair,
    status: [oneOf(...reportedStatuses), 'Status that the miniapp reported.'],
    currency,
    amount: [text, 'Total of the purchase as it came, a decimal in text.'],
    ...parts,
    'order_payment_id?': [text, 'Payment that the miniapp named; absent where it named none.'],
    'miniapp_order_id?': [text, 'Order in the miniapp that it named; absent where it named none.'],
    at: [time, 'When the purchase was made, by `occurred_at`, otherwise when the report came.'],
    received_at: [time, 'When the miniapp sent the report.'],
    request_id: requestIdOfCall,
  }),
  DailySum: object('Reports of one day, integration, currency and status, summed up.', {
    day: dayOfReport,
    ...pair,
    currency,
    status: [oneOf(...reportedStatuses), 'Status that all of these reports have.'],
    count: [count, 'Reports that were summed up.'],
    amount: [text, 'Sum of their totals, a decimal in text.'],
    shipping: [text, 'Sum of their parts for the transport, a decimal in text.'],
    tax: [text, 'Sum of their parts that are tax, a decimal in text.'],
    discount: [text, 'Sum of the reductions, a decimal in text.'],
  }),
  Difference: object('A payment on which the report of the miniapp and the relayed result do not agree.', {
    kind: [
      oneOf('only_reported', 'only_seen', 'different'),
      '`only_reported`: no payment was relayed; `only_seen`: no report came; `different`: both are there and disagree.',
    ],
    order_payment_id: [text, 'Id of the payment at the host app, by which the two are compared.'],
    'transaction_id?': [text, 'Id that the miniapp gave the report; absent where none came.'],
    differs: [list(oneOf('amount', 'currency', 'status')), 'Values on which they disagree; empty where one side is missing.'],
    'reported?': [sideSchema(reportedStatuses), 'What the miniapp reported; absent where it reported nothing.'],
    'seen?': [sideSchema([...new Set(Object.values(statusOfWord))]), 'What the service relayed; absent where it relayed nothing.'],
  }),
  PaidDay: object('What was paid on one day in one currency, reported and relayed.', {
    day: dayOfReport,
    currency,
    reported: [paid('reported'), 'What miniapps reported as paid.'],
    relayed: [paid('relayed'), 'What host apps completed as paid.'],
    difference: [text, 'Reported sum minus relayed sum, a decimal in text.'],
  }),
};
