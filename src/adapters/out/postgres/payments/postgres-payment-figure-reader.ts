import type { DataSource } from 'typeorm';
import { floorTo } from '../../../../domain/figures/slots';
import {
  overdueAfterMs,
  timeToFinalEdgesMs,
  type PaymentCounts,
  type PaymentFigureReader,
  type PaymentFiguresRequest,
} from '../../../../domain/payments/payment-figures';
import type { PaymentStage } from './payment-figure.schema';
import { countPayments } from './payment-count-statements';
import { stepRatio } from './payment-figure-statements';
import { run, type Statement } from '../connection/statement';

const hourS = 3600;
const halfDayS = 43_200;
/** The ages when a payment in process becomes overdue or moves to another bar, ascending. */
const agesMs = timeToFinalEdgesMs.filter((edge) => edge >= overdueAfterMs);
const lastAgeMs = Math.max(...agesMs);

/** Each result creates a delivery. Few of them are undelivered, so each is looked up by its id. */
const undelivered: Statement = {
  name: 'payments.figures-undelivered',
  text: `
    select count(*)::integer as undelivered
    from (
      select id from deliveries where state = 'ready' and kind = 'completion'
      union all
      select id from deliveries where state = 'failed' and ended_at >= $1 and kind = 'completion'
    ) as d
    join order_payments p on p.id = d.id left join integrations i on i.id = p.integration_id
    where p.created_at >= $1 and p.created_at < $2 and p.creation <> 'repeated' and p.status <> 'in_process'
      and ($3::text is null or i.client_id = $3) and ($4::text is null or i.app_id = $4)`,
};

interface CountedRow {
  stage: PaymentStage;
  is_overdue: boolean;
  /** The bar, from 1; 0: neither final nor overdue. */
  bar: number;
  step: number;
  count: number;
}

/** Counts payments by their creation time: from sums, and one by one where there are none. Source: ADR 039. */
export class PostgresPaymentFigureReader implements PaymentFigureReader {
  constructor(private readonly db: DataSource) {}

  async count(request: PaymentFiguresRequest): Promise<PaymentCounts> {
    const { from, to, clientId, appId } = request;
    const scoped = [new Date(from), new Date(to), clientId ?? null, appId ?? null];
    const [rows, [missing]] = await Promise.all([this.counted(request), run<{ undelivered: number }>(this.db, undelivered, scoped)]);
    const sum = (fits: (row: CountedRow) => boolean): number => rows.filter(fits).reduce((all, { count }) => all + count, 0);
    const [final, accepted] = [sum(({ stage }) => stage === 'final'), sum(({ stage }) => stage === 'accepted')];
    return {
      funnel: { created: sum(() => true), accepted: accepted + final, final, noticed: final - (missing?.undelivered ?? 0) },
      inProcess: accepted,
      overdue: sum((row) => row.is_overdue),
      bars: timeToFinalEdgesMs.map((fromMs, i) => {
        const inBar = (isOverdue: boolean): number => sum((row) => row.bar === i + 1 && row.is_overdue === isOverdue);
        return { fromMs, toMs: timeToFinalEdgesMs[i + 1], final: inBar(false), overdue: inBar(true) };
      }),
      p50Ms: percentileOf(rows, 0.5),
      p95Ms: percentileOf(rows, 0.95),
    };
  }

  private counted({ from, to, now, clientId, appId }: PaymentFiguresRequest): Promise<CountedRow[]> {
    const at = (ms: number): Date => new Date(ms);
    const wholeHours = [-floorTo(-from, hourS), floorTo(to, hourS)].map(at);
    // In these hours, only some payments have reached an age, so their payments are read one by one.
    const mixedHours = [...new Set(agesMs.map((age) => floorTo(now - age, hourS)))].map(at);
    const values = [at(from), at(to), ...wholeHours, mixedHours, at(floorTo(now - lastAgeMs, halfDayS)), at(now), at(now - overdueAfterMs)];
    if (clientId === undefined && appId === undefined) return run<CountedRow>(this.db, countPayments.all, values);
    return run<CountedRow>(this.db, countPayments.ofPartner, [...values, clientId ?? null, appId ?? null]);
  }
}

/** The percentile in milliseconds; `undefined` when no payment is final. */
function percentileOf(rows: readonly CountedRow[], share: number): number | undefined {
  const rising = rows.filter(({ stage }) => stage === 'final').sort((a, b) => a.step - b.step);
  const wanted = Math.max(1, Math.ceil(rising.reduce((all, { count }) => all + count, 0) * share));
  let seen = 0;
  for (const { step, count } of rising) {
    seen += count;
    if (seen >= wanted) return Math.round(stepRatio ** (step - 0.5));
  }
  return undefined;
}
