import type { SummaryFilter } from '../../../../domain/analytics/ports';
import type { Statement } from '../statement';
import type { SummaryKey } from './summary-key';
import type { Range, SumRanges } from './sum-ranges';

/** What a line of the sums is of; lines are listed by it, the last one first. */
const key = 'day, client_id, app_id, currency, status';
const lastFirst = key
  .split(', ')
  .map((column) => `${column} desc`)
  .join(', ');
const added = ['count', 'amount', 'shipping', 'tax', 'discount'];
const sums = added.map((column) => `sum(${column}) as ${column}`).join(', ');

interface Asked extends Pick<SummaryFilter, 'clientId' | 'appId'> {
  readonly after?: SummaryKey | undefined;
  readonly limit: number;
}

/** Writes conditions and keeps their values. */
class Conditions {
  readonly values: unknown[] = [];
  private readonly ofPartners: readonly string[];
  private readonly ofPage: readonly string[];
  readonly limit: string;

  constructor({ clientId, appId, after, limit }: Asked) {
    this.limit = this.value(limit);
    this.ofPartners = [
      ...(clientId === undefined ? [] : [`client_id = ${this.value(clientId)}`]),
      ...(appId === undefined ? [] : [`app_id = ${this.value(appId)}`]),
    ];
    // The first one again by itself: an index by another column before it follows only that.
    const place = after?.map((part) => this.value(part));
    this.ofPage = place === undefined ? [] : [`(${key}) < (${place.join(', ')})`, `day <= ${place[0]!}`];
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

  /** Of what has its day in a column of its own. */
  onPage(condition: string): string {
    return all([condition, ...this.ofPage]);
  }

  private value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

const all = (conditions: readonly string[]): string => (conditions.length > 0 ? conditions.join(' and ') : 'true');

/**
 * A page of the sums by day, pair, currency and status. From each part of the range come as many lines as the page has, each part in the order of
 * an index, so that it is read no further; single records and changes, which are few, come whole. What a line lacks in one part lies in another.
 */
export function summaryStatement({ records, sums: parts, changes }: SumRanges, asked: Asked): { statement: Statement; values: unknown[] } {
  const conditions = new Conditions(asked);
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

/** Hours of one day: by the day too, which the indexes begin with. */
const hoursWithin = (conditions: Conditions, range: Range): string => {
  const [from, to] = range;
  const day = [from, to - 1].find(Number.isFinite);
  const ofDay = day === undefined ? [] : [`day = '${new Date(day).toISOString().slice(0, 10)}'::date`];
  return all([...ofDay, conditions.within('slot', range)]);
};
