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
} from '../../../domain/analytics/ports';
import { floorTo } from '../../../domain/figures/slots';
import type { ReportedStatus } from '../../../domain/analytics/transaction-report';
import type { PageRequest } from '../../../domain/partners/ports';
import type { PaymentStatus } from '../../../domain/payments/order-payment';
import { requireIds } from '../../../domain/shared/required-id';
import { filteredStatement } from './filtered-statement';
import { run } from './statement';
import * as statements from './transaction-statements';
import { lineFrom, type TransactionRow } from './transaction.schema';

type ListRow = Parameters<typeof lineFrom>[0];

interface SummaryRow extends Pick<TransactionRow, 'client_id' | 'app_id' | 'currency' | 'status' | 'amount'> {
  readonly id: string;
  readonly day: string;
  readonly count: string;
  readonly shipping: string;
  readonly tax: string;
  readonly discount: string;
}

interface SpanRow {
  readonly first: Date | null;
  readonly last: Date | null;
}

const dayMs = 86_400_000;

/** The end of the day that the id of a line begins with; nothing follows another text. */
function endOfDay(id: string): number {
  const at = Date.parse(`${id.slice(0, 4)}-${id.slice(4, 6)}-${id.slice(6, 8)}T00:00:00Z`);
  return Number.isNaN(at) ? -dayMs : at + dayMs;
}

interface DifferenceRow {
  readonly id: string;
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

/** Reads what miniapps reported, beside what the relay has seen. Opens nothing that is sealed. */
export class PostgresTransactionReader implements TransactionReader {
  constructor(private readonly db: DataSource) {}

  async list(filter: TransactionFilter, { limit, after }: PageRequest): Promise<readonly TransactionLine[]> {
    const asked = { ...filter, ...(after !== undefined && { after }) };
    const { statement, values } = filteredStatement(statements.list, statements.listConditions, asked);
    return (await run<ListRow>(this.db, statement, [...values, limit])).map(lineFrom);
  }

  /** Days come newest first: so many of the latest are summed as the page needs, twice as many each time. */
  async summary(filter: SummaryFilter, { limit, after }: PageRequest): Promise<readonly SummaryLine[]> {
    const until = Math.min(filter.to ?? Infinity, after === undefined ? Infinity : endOfDay(after));
    const asked = { ...filter, ...(until < Infinity && { to: until }) };
    const span = filteredStatement(statements.summarySpan, statements.summaryConditions, asked);
    const [found] = await run<SpanRow>(this.db, span.statement, span.values);
    const { first, last } = found ?? { first: null, last: null };
    if (first === null || last === null) return [];
    for (let days = 1; ; days *= 2) {
      const from = floorTo(last.getTime(), dayMs / 1000) - (days - 1) * dayMs;
      const isWhole = from <= first.getTime();
      const window = isWhole ? asked : { ...asked, from };
      const { statement, values } = filteredStatement(statements.summary, statements.summaryConditions, window);
      const follows = after ?? null;
      const rows = await run<SummaryRow>(this.db, statement, [...values, follows, follows, follows, limit]);
      if (isWhole || rows.length >= limit) return rows.map(summaryFrom);
    }
  }

  async differences(filter: DifferenceFilter, { limit, after }: PageRequest): Promise<readonly Difference[]> {
    const { integrationId, clientId, appId, from, to, kind } = filter;
    requireIds({ integrationId, clientId, appId });
    const values = [integrationId, from ?? null, to ?? null, kind ?? null, after ?? null, limit, clientId, appId];
    return (await run<DifferenceRow>(this.db, statements.differences, values)).map(differenceFrom);
  }

  async paidDays({ integrationId, clientId, appId, from, to }: PaidDaysFilter): Promise<readonly PaidDay[]> {
    requireIds({ integrationId, clientId, appId });
    return (await run<PaidDayRow>(this.db, statements.paidDays, [integrationId, from, to, clientId, appId])).map(paidDayFrom);
  }
}

const summaryFrom = ({ client_id: clientId, app_id: appId, count, ...row }: SummaryRow): SummaryLine => ({
  ...row,
  clientId,
  appId,
  count: Number(count),
});

const paidDayFrom = ({ day, currency, difference, ...row }: PaidDayRow): PaidDay => ({
  ...{ day, currency, difference },
  reported: { count: row.reported_count, amount: row.reported_amount },
  relayed: { count: row.relayed_count, amount: row.relayed_amount },
});

const differenceFrom = (row: DifferenceRow): Difference => ({
  id: row.id,
  kind: row.kind,
  orderPaymentId: row.order_payment_id,
  transactionId: row.transaction_id ?? undefined,
  differs: row.differs,
  reported: saidFrom({ status: row.reported_status, amount: row.reported_amount, currency: row.reported_currency, at: row.reported_at }),
  seen: saidFrom({ status: row.seen_status, amount: row.seen_amount, currency: row.seen_currency, at: row.seen_at }),
});

/** A side that says nothing of a payment has neither status nor time. */
function saidFrom<Status>(said: { status: Status | null; amount: string | null; currency: string | null; at: Date | null }) {
  const { status, amount, currency, at } = said;
  if (status === null || at === null) return undefined;
  return { status, amount: amount ?? undefined, currency: currency ?? undefined, at: at.getTime() };
}
