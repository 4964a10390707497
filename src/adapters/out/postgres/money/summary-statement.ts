import type { SummaryFilter } from '../../../../domain/analytics/ports';
import type { Statement } from '../connection/statement';
import type { SummaryKey } from './summary-key';
import type { Range, SumRanges } from './sum-ranges';

/** The key of a line of the sums. Lines are listed by it in descending order. */
const key = 'day, client_id, app_id, currency, status';
const lastFirst = key
  .split(', ')
  .map((column) => `${column} desc`)
  .join(', ');
const added = ['count', 'amount', 'shipping', 'tax', 'discount'];
const sums = added.map((column) => `sum(${column}) as ${column}`).join(', ');

interface SummaryQuery extends Pick<SummaryFilter, 'clientId' | 'appId'> {
  readonly after?: SummaryKey | undefined;
  readonly limit: number;
}

/** Builds conditions and collects their values. */
class Conditions {
  readonly values: unknown[] = [];
  private readonly ofPartners: readonly string[];
  private readonly ofPage: readonly string[];
  readonly limit: string;

  constructor({ clientId, appId, after, limit }: SummaryQuery) {
    this.limit = this.value(limit);
    this.ofPartners = [
      ...(clientId === undefined ? [] : [`client_id = ${this.value(clientId)}`]),
      ...(appId === undefined ? [] : [`app_id = ${this.value(appId)}`]),
    ];
    // Repeats the condition on the day: an index that continues with another column can only use that one.
    const position = after?.map((part) => this.value(part));
    this.ofPage = position === undefined ? [] : [`(${key}) < (${position.join(', ')})`, `day <= ${position[0]!}`];
  }

  within(column: string, [from, to]: Range, isDay = false): string {
    const bound = (at: number): string =>
      isDay ? `${this.value(new Date(at).toISOString().slice(0, 10))}::date` : `to_timestamp(${this.value(at)}::double precision / 1000)`;
    const bounds = [
      ...(from === -Infinity ? [] : [`${column} >= ${bound(from)}`]),
      ...(to === Infinity ? [] : [`${column} < ${bound(to)}`]),
    ];
    return all([...this.ofPartners, ...bounds]);
  }

  /** Adds the page's conditions for rows with a day column. */
  onPage(condition: string): string {
    return all([condition, ...this.ofPage]);
  }

  private value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

const all = (conditions: readonly string[]): string => (conditions.length > 0 ? conditions.join(' and ') : 'true');

/**
 * A page of the sums by day, pair, currency and status. Each part of the range returns at most a page of lines in index order, so that no
 * more is read; single records and changes are few and are read in full. Lines of several parts with one key are added up.
 */
export function summaryStatement(
  { records, sums: parts, changes }: SumRanges,
  query: SummaryQuery,
): { statement: Statement; values: unknown[] } {
  const conditions = new Conditions(query);
  const single = records.map(
    (range) => `
      select (at at time zone 'UTC')::date as day, client_id collate "C" as client_id, app_id collate "C" as app_id,
        currency collate "C" as currency, status collate "C" as status, 1 as count, amount, shipping, tax, discount
      from miniapp_transactions where ${conditions.within('at', range)}`,
  );
  const changed = `
      select (slot at time zone 'UTC')::date as day, client_id, app_id, currency, status, count, amount, shipping, tax, discount
      from reported_changes where ${conditions.within('slot', changes)}`;
  const summed = parts.map(({ grain, range }) => {
    const within = grain === 'day' ? conditions.within('day', range, true) : hoursWithin(conditions, range);
    return `(
      select ${key}, ${sums} from reported_sums where grain = '${grain}' and ${conditions.onPage(within)}
      group by ${key} order by ${lastFirst} limit ${conditions.limit})`;
  });
  const text = `
    with beside as (${[...single, changed].join(' union all ')})
    select to_char(day, 'YYYY-MM-DD') as day, client_id, app_id, currency, status, sum(count) as count, sum(amount) as amount,
      coalesce(sum(shipping), 0.00) as shipping, coalesce(sum(tax), 0.00) as tax, coalesce(sum(discount), 0.00) as discount
    from (
      ${[...summed, `select * from beside where ${conditions.onPage('true')}`].join(' union all ')}
    ) as lines
    group by ${['lines.day', ...key.split(', ').slice(1)].join(', ')} order by ${lastFirst.replace('day', 'lines.day')} limit ${conditions.limit}`;
  return { statement: { name: '', text }, values: conditions.values };
}

/** Hours of one day also get a condition on the day, the first column of the indexes. */
const hoursWithin = (conditions: Conditions, range: Range): string => {
  const [from, to] = range;
  const day = [from, to - 1].find(Number.isFinite);
  const ofDay = day === undefined ? [] : [`day = '${new Date(day).toISOString().slice(0, 10)}'::date`];
  return all([...ofDay, conditions.within('slot', range)]);
};
