import type { DataSource } from 'typeorm';
import type {
  Difference,
  DifferenceFilter,
  PaidDay,
  PaidDaysFilter,
  SummaryFilter,
  SummaryLine,
  TransactionFilter,
  TransactionLine,
  TransactionReader,
} from '../../../../domain/analytics/ports';
import type { ReportedStatus } from '../../../../domain/analytics/transaction-report';
import type { PageRequest } from '../../../../domain/partners/ports';
import type { PaymentStatus } from '../../../../domain/payments/order-payment';
import { requireIds } from '../../../../domain/shared/required-id';
import { filteredStatement } from '../connection/filtered-statement';
import { paidDaysStatement } from '../money/paid-days-statement';
import { summaryId, summaryKeyIn } from '../money/summary-key';
import { summaryStatement } from '../money/summary-statement';
import { sumRanges, SumsReach } from '../money/sum-ranges';
import { run } from '../connection/statement';
import * as statements from './transaction-statements';
import { differences, recentDifferences } from './difference-statement';
import { lineFrom, type TransactionRow } from './transaction.schema';

type ListRow = Parameters<typeof lineFrom>[0];

interface SummaryRow extends Pick<TransactionRow, 'client_id' | 'app_id' | 'currency' | 'status' | 'amount'> {
  readonly day: string;
  readonly count: string;
  readonly shipping: string;
  readonly tax: string;
  readonly discount: string;
}

interface DifferenceRow {
  readonly is_all: boolean;
  /** The position of the line in its list, in microseconds since the epoch. */
  readonly at_us: string;
  /** Null when there is no line. */
  readonly id: string | null;
  readonly kind: Difference['kind'];
  readonly order_payment_id: string;
  readonly transaction_id: string | null;
  readonly differs: Difference['differs'];
  readonly reported_status: ReportedStatus | null;
  readonly reported_amount: string | null;
  readonly reported_currency: string | null;
  readonly reported_at: Date | null;
  readonly seen_status: PaymentStatus | null;
  readonly seen_amount: string | null;
  readonly seen_currency: string | null;
  readonly seen_at: Date | null;
}

interface PaidDayRow extends Pick<PaidDay, 'day' | 'currency' | 'difference'> {
  readonly reported_count: number;
  readonly reported_amount: string;
  readonly relayed_count: number;
  readonly relayed_amount: string;
}

const dayMs = 86_400_000;
/** How many of the newest reports, and payments, are compared before all of them are. */
const firstRows = 400;

/** Reads the transactions that miniapps reported beside those that the service relayed. Decrypts nothing. */
export class PostgresTransactionReader implements TransactionReader {
  private readonly reach: SumsReach;

  constructor(private readonly db: DataSource) {
    this.reach = new SumsReach(db);
  }

  async list(filter: TransactionFilter, { limit, after }: PageRequest): Promise<readonly TransactionLine[]> {
    const conditions = { ...filter, ...(after !== undefined && { after }) };
    const { statement, values } = filteredStatement(statements.list, statements.listConditions, conditions);
    return (await run<ListRow>(this.db, statement, [...values, limit])).map(lineFrom);
  }

  async summary({ from, to, ...whose }: SummaryFilter, { limit, after }: PageRequest): Promise<readonly SummaryLine[]> {
    const key = after === undefined ? undefined : summaryKeyIn(after);
    if (after !== undefined && key === undefined) return [];
    // Days come newest first.
    const until = key === undefined ? Infinity : Date.parse(key[0]) + dayMs;
    const range = [from ?? -Infinity, Math.min(to ?? Infinity, until)] as const;
    const ranges = sumRanges(range, await this.reach.since('reported'));
    const { statement, values } = summaryStatement(ranges, { ...whose, after: key, limit });
    return (await run<SummaryRow>(this.db, statement, values)).map(summaryFrom);
  }

  async differences(filter: DifferenceFilter, { limit, after }: PageRequest): Promise<readonly Difference[]> {
    const { integrationId, clientId, appId, from, to, kind } = filter;
    requireIds({ integrationId, clientId, appId });
    const position = after === undefined ? [null, null] : positionIn(after);
    if (!position) return [];
    const values = [integrationId, clientId, appId, from ?? null, to ?? null, kind ?? null, ...position, limit];
    const recent = await run<DifferenceRow>(this.db, recentDifferences, [...values, firstRows]);
    const found = linesIn(recent);
    if (found.length === limit || recent[0]?.is_all === true) return found;
    // If few lines differ, only a full comparison fills the page.
    return linesIn(await run<DifferenceRow>(this.db, differences, values));
  }

  async paidDays({ integrationId, clientId, appId, from, to }: PaidDaysFilter): Promise<readonly PaidDay[]> {
    requireIds({ integrationId, clientId, appId });
    const [reported, paid] = await Promise.all([this.reach.since('reported'), this.reach.since('paid')]);
    const ranges = { reported: sumRanges([from, to], reported), paid: sumRanges([from, to], paid) };
    const { statement, values } = paidDaysStatement(ranges, { integrationId, clientId, appId });
    return (await run<PaidDayRow>(this.db, statement, values)).map(paidDayFrom);
  }
}

const summaryFrom = ({ client_id: clientId, app_id: appId, count, ...row }: SummaryRow): SummaryLine => ({
  id: summaryId([row.day, clientId, appId, row.currency, row.status]),
  ...row,
  clientId,
  appId,
  count: Number(count),
});

const paidDayFrom = ({ day, currency, difference, ...row }: PaidDayRow): PaidDay => ({
  day,
  currency,
  difference,
  reported: { count: row.reported_count, amount: row.reported_amount },
  relayed: { count: row.relayed_count, amount: row.relayed_amount },
});

const linesIn = (rows: readonly DifferenceRow[]): Difference[] => rows.filter(({ id }) => id !== null).map(differenceFrom);

/** The position and the id in a cursor. `undefined` for a cursor that the service never issued. */
const positionIn = (cursor: string): readonly string[] | undefined => /^(-?\d{1,17})\/(.+)$/.exec(cursor)?.slice(1);

const differenceFrom = (row: DifferenceRow): Difference => ({
  id: `${row.at_us}/${row.id}`,
  kind: row.kind,
  orderPaymentId: row.order_payment_id,
  transactionId: row.transaction_id ?? undefined,
  differs: row.differs,
  reported: sideFrom({ status: row.reported_status, amount: row.reported_amount, currency: row.reported_currency, at: row.reported_at }),
  seen: sideFrom({ status: row.seen_status, amount: row.seen_amount, currency: row.seen_currency, at: row.seen_at }),
});

/** A side without a report of the payment has neither status nor time. */
function sideFrom<Status>(columns: { status: Status | null; amount: string | null; currency: string | null; at: Date | null }) {
  const { status, amount, currency, at } = columns;
  if (status === null || at === null) return undefined;
  return { status, amount: amount ?? undefined, currency: currency ?? undefined, at: at.getTime() };
}
