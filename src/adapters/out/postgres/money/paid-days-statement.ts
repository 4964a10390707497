import type { PaidDaysFilter } from '../../../../domain/analytics/ports';
import type { Statement } from '../connection/statement';
import { toTheCent } from '../analytics/transaction-statements';
import type { Range, SumRanges } from './sum-ranges';

type Pair = Pick<PaidDaysFilter, 'integrationId' | 'clientId' | 'appId'>;

/** The tables of one side: `records` with the time column `at`, and the sums and changes of `name`. */
interface Side {
  readonly name: 'reported' | 'paid';
  readonly records: string;
  readonly at: string;
  readonly whose: string;
  /** The conditions for paid records and for their sums. */
  readonly counted: string;
  readonly countedSums: string;
}

const sides: Readonly<Record<'reported' | 'paid', Side>> = {
  reported: {
    ...{ name: 'reported', records: 'miniapp_transactions', at: 'at', whose: 'client_id = $2 and app_id = $3 and integration_id = $1' },
    ...{ counted: `status in ('paid', 'refunded')`, countedSums: `status in ('paid', 'refunded')` },
  },
  paid: {
    ...{ name: 'paid', records: 'order_payments', at: 'created_at', whose: 'integration_id = $1' },
    ...{ counted: `status = 'paid' and amount is not null and currency is not null`, countedSums: 'true' },
  },
};

const utcDay = (at: string): string => `(${at} at time zone 'UTC')::date as day`;

function sumOf(side: Side, { records, sums, changes }: SumRanges, within: (column: string, range: Range) => string): string {
  const { name, at, whose, counted, countedSums } = side;
  const parts = [
    ...records.map(
      (range) => `
        select ${utcDay(at)}, currency collate "C" as currency, 1 as count, amount from ${side.records}
        where ${whose} and ${counted} and ${within(at, range)}`,
    ),
    ...sums.map(({ grain, range }) => {
      const from = `'${new Date(range[0]).toISOString().slice(0, 10)}'::date`;
      const ofDays = name === 'reported' ? ` and day >= ${from}` : '';
      return `
        select ${utcDay('slot')}, currency, count, amount from ${name}_sums
        where ${whose} and ${countedSums} and grain = '${grain}' and ${within('slot', range)}${ofDays}`;
    }),
    `select ${utcDay('slot')}, currency, count, amount from ${name}_changes where ${whose} and ${countedSums} and ${within('slot', changes)}`,
  ];
  return `
    select day, upper(currency) as currency, sum(count) as count, sum(amount) as amount from (${parts.join(' union all ')}) as part
    group by 1, 2 having sum(count) > 0`;
}

const [reported, relayed] = ['coalesce(r.amount, 0)', 'coalesce(p.amount, 0)'] as const;

/** The payments of each day, from sums, changes and single records. */
export function paidDaysStatement(
  ranges: Readonly<Record<'reported' | 'paid', SumRanges>>,
  { integrationId, clientId, appId }: Pair,
): { statement: Statement; values: unknown[] } {
  const values: unknown[] = [integrationId, clientId, appId];
  const time = (at: number): string => `to_timestamp($${values.push(at)}::double precision / 1000)`;
  const within = (column: string, [from, to]: Range): string => `${column} >= ${time(from)} and ${column} < ${time(to)}`;
  const text = `
    select to_char(day, 'YYYY-MM-DD') as day, currency,
      coalesce(r.count, 0)::integer as reported_count, ${toTheCent(reported)} as reported_amount,
      coalesce(p.count, 0)::integer as relayed_count, ${toTheCent(relayed)} as relayed_amount,
      ${toTheCent(`${reported} - ${relayed}`)} as difference
    from (${sumOf(sides.reported, ranges.reported, within)}) as r
    full join (${sumOf(sides.paid, ranges.paid, within)}) as p using (day, currency)
    order by 1, 2`;
  return { statement: { name: '', text }, values };
}
