import type { DataSource } from 'typeorm';
import {
  overdueAfterMs,
  timeToFinalEdgesMs,
  type PaymentCounts,
  type PaymentFigures,
  type PaymentFiguresRequest,
} from '../../../domain/payments/payment-figures';
import { run, type Statement } from './statement';

const asked = `
  where p.created_at >= $1 and p.created_at < $2 and p.creation <> 'repeated'
    and ($3::text is null or i.client_id = $3) and ($4::text is null or i.app_id = $4)`;

/** Times to a result are read off steps that each end a fiftieth above the one before: at most 1 % from the truth. */
const stepRatio = 1.02;

/** `extract` counts in decimals, which takes ten times as long. */
const ms = (since: string, to: string): string => `(date_part('epoch', ${to} - ${since}) * 1000)`;

/** All of the range in one pass, in as many rows as there are kinds of payments and steps; joined to their pairs afterwards. */
const counted: Statement = {
  name: 'payments.figures',
  text: `
    select is_opened, is_final, is_overdue, bar, step, sum(count)::integer as count
    from (
      select integration_id, is_opened, is_final, is_overdue, width_bucket(coalesce(settled_ms, case when is_overdue then age_ms end), $7::double precision[]) as bar,
        ceil(ln(greatest(settled_ms, 1)) / ln(${String(stepRatio)}::double precision))::integer as step, count(*) as count
      from (
        select p.integration_id, p.creation = 'opened' as is_opened, p.status <> 'in_process' as is_final,
          p.status = 'in_process' and p.creation = 'opened' and p.created_at < $5 as is_overdue,
          ${ms('p.created_at', 'p.settled_at')} as settled_ms, ${ms('p.created_at', '$6::timestamptz')} as age_ms
        from order_payments p where p.created_at >= $1 and p.created_at < $2 and p.creation <> 'repeated'
      ) as single
      group by 1, 2, 3, 4, 5, 6
    ) as p left join integrations i on i.id = p.integration_id
    where ($3::text is null or i.client_id = $3) and ($4::text is null or i.app_id = $4)
    group by 1, 2, 3, 4, 5`,
};

/** A delivery is made with the result: of those few whose miniapp has not received it, each is looked up. */
const undelivered: Statement = {
  name: 'payments.figures-undelivered',
  text: `
    select count(*)::integer as undelivered
    from (
      select id from deliveries where state = 'ready' and kind = 'completion'
      union all
      select id from deliveries where state = 'failed' and ended_at >= $1 and kind = 'completion'
    ) as d
    join order_payments p on p.id = d.id left join integrations i on i.id = p.integration_id ${asked} and p.status <> 'in_process'`,
};

interface CountedRow {
  is_opened: boolean;
  is_final: boolean;
  is_overdue: boolean;
  /** Absent: neither final nor overdue. */
  bar: number | null;
  /** Absent: not final. */
  step: number | null;
  count: number;
}

/** Counts payments in Postgres, by the time of their creation. */
export class PostgresPaymentFigures implements PaymentFigures {
  constructor(private readonly db: DataSource) {}

  async count({ from, to, now, clientId, appId }: PaymentFiguresRequest): Promise<PaymentCounts> {
    const scoped = [new Date(from), new Date(to), clientId ?? null, appId ?? null];
    const rows = await run<CountedRow>(this.db, counted, [...scoped, new Date(now - overdueAfterMs), new Date(now), timeToFinalEdgesMs]);
    const [missing] = await run<{ undelivered: number }>(this.db, undelivered, scoped);
    const sum = (fits: (row: CountedRow) => boolean): number => rows.filter(fits).reduce((all, { count }) => all + count, 0);
    const final = sum((row) => row.is_final);
    return {
      funnel: {
        created: sum(() => true),
        accepted: sum((row) => row.is_opened),
        final,
        noticed: final - (missing?.undelivered ?? 0),
      },
      inProcess: sum((row) => row.is_opened && !row.is_final),
      overdue: sum((row) => row.is_overdue),
      bars: timeToFinalEdgesMs.map((fromMs, i) => {
        const inBar = (isOverdue: boolean): number => sum((row) => row.bar === i + 1 && row.is_overdue === isOverdue);
        return { fromMs, toMs: timeToFinalEdgesMs[i + 1], final: inBar(false), overdue: inBar(true) };
      }),
      p50Ms: percentileOf(rows, 0.5),
      p95Ms: percentileOf(rows, 0.95),
    };
  }
}

/** In milliseconds; `undefined`: nothing is final. */
function percentileOf(rows: readonly CountedRow[], share: number): number | undefined {
  const rising = rows.filter((row) => row.step !== null).sort((a, b) => (a.step ?? 0) - (b.step ?? 0));
  const wanted = Math.max(1, Math.ceil(rising.reduce((all, { count }) => all + count, 0) * share));
  let seen = 0;
  for (const { step, count } of rising) {
    seen += count;
    if (seen >= wanted) return Math.round(stepRatio ** ((step ?? 0) - 0.5));
  }
  return undefined;
}
