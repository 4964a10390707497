import type { Division, FigureQuery } from '../../../../domain/figures/ports';
import type { FigurePart } from './figure-parts';
import { exchangesAsDurations, exchangesAsSums } from './figure-statements';
import type { Statement } from '../connection/statement';

/** A statement with only the requested conditions, and their values. */
export interface Question {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

export type Table = 'figure_sums' | 'figure_durations';

/** The maximum number of rows; those with the most exchanges are returned. */
const maxRows = 50_000;

const columnsOf: Readonly<Record<Division, readonly string[]>> = {
  time: [],
  pair: ['client_id', 'app_id'],
  call: ['call'],
  ending: ['status', 'error_code', 'failed_side', 'failed_step'],
};

const columnsIn: Readonly<Record<Table, string>> = {
  figure_sums:
    'slot, client_id, app_id, call, status, error_code, failed_side, failed_step, count, ms, hostapp_ms, miniapp_ms, first_at, last_at',
  figure_durations: 'slot, client_id, app_id, call, step, count',
};

const singlesOf: Readonly<Record<Table, (where: string) => string>> = {
  figure_sums: exchangesAsSums,
  figure_durations: exchangesAsDurations,
};

const addedIn: Readonly<Record<Table, string>> = {
  figure_sums: `sum(count)::double precision as count, sum(ms)::double precision as ms, sum(hostapp_ms)::double precision as hostapp_ms,
  sum(miniapp_ms)::double precision as miniapp_ms, min(first_at) as first_at, max(last_at) as last_at`,
  figure_durations: 'sum(count)::double precision as count',
};

/** Collects the values of a statement in the order of its parameters. */
export class Values {
  readonly all: unknown[] = [];
  readonly take = (value: unknown): string => `$${String(this.all.push(value))}`;
  readonly time = (at: number): string => `${this.take(new Date(at))}::timestamptz`;
}

/** Selects the exchanges of a query, whatever their time. */
export interface Whose {
  readonly where: string;
  /** The conditions in use, as part of the statement's name. */
  readonly name: string;
}

/** `is true` keeps the look-up of pairs a hash: as a join it would be planned for a few rows. */
export const inPairs = (pairs: string): string => `and ((client_id, app_id) in (${pairs})) is true`;

/** The conditions of a query other than its range. */
export function whoseOf({ clientId, appId, call, pairs, hasFailed }: FigureQuery, { take }: Values): Whose {
  const conditions: string[] = [];
  const names: string[] = [];
  for (const [column, value] of Object.entries({ client_id: clientId, app_id: appId, call })) {
    if (value === undefined) continue;
    conditions.push(`and ${column} = ${take(value)}`);
    names.push(column.slice(0, 2));
  }
  if (hasFailed !== undefined) {
    conditions.push(`and status ${hasFailed ? '>=' : '<'} 400`);
    names.push(hasFailed ? 'failed' : 'well');
  }
  if (pairs) {
    const [clients, apps] = [take(pairs.map((pair) => pair.clientId)), take(pairs.map((pair) => pair.appId))];
    // Each host app once: the planner expects the rows of each element.
    conditions.push(`and client_id = any(${take([...new Set(pairs.map((pair) => pair.clientId))])}::text[])`);
    conditions.push(inPairs(`select * from unnest(${clients}::text[], ${apps}::text[])`));
    names.push('pairs');
  }
  return { where: conditions.join(' '), name: names.join('-') };
}

/** The slot of a row. */
export const slotIn = ({ slotS, from }: FigureQuery, { take, time }: Values): string =>
  `date_bin(${take(slotS)} * interval '1 second', slot, ${time(from)})`;

/** The conditions of a statement, and its values so far. */
export interface Scope {
  readonly whose: Whose;
  readonly values: Values;
}

/** The rows of the parts in the shape of a table. */
export const rowsOf = (table: Table, parts: readonly FigurePart[], scope: Scope): string =>
  union(parts.map((part) => partOf(table, part, scope)));

/**
 * Single exchanges are few and found by their time: the conditions on partners apply to the result, because a plan for any partner would read
 * all exchanges of a large one by the index on pairs.
 */
const partOf = (table: Table, part: FigurePart, { whose, values }: Scope): string =>
  part.from === 'single'
    ? `select * from (${singlesOf[table](within('at', part, values))}) as single where true ${whose.where}`
    : `select ${columnsIn[table]} from ${table} where grain = '${part.from}' and ${within('slot', part, values)} ${whose.where}`;

/** The condition for the range of a part. */
export const within = (column: string, { span: [from, to] }: FigurePart, { time }: Values): string =>
  `${column} >= ${time(from)} and ${column} < ${time(to)}`;

export const union = (sources: readonly string[]): string => sources.join('\n  union all\n  ');

/** Each source by a letter of its own: statements with one name must have one text, and names of over 63 bytes are cut. */
const letterOf: Readonly<Record<FigurePart['from'], string>> = { minute: 'm', hour: 'h', 'half-day': 'd', 'all-hour': 'a', single: 's' };

/** The parts of the range, as part of the statement's name. */
export const nameOf = (parts: readonly FigurePart[]): string => parts.map(({ from }) => letterOf[from]).join('');

/** Asks for the sums or the durations of a range that consists of these parts. */
export function figureQuestion(
  table: Table,
  query: FigureQuery,
  { by, parts }: { by: readonly Division[]; parts: readonly FigurePart[] },
): Question {
  const values = new Values();
  const whose = whoseOf(query, values);
  const source = rowsOf(table, parts, { whose, values });
  const time = by.includes('time') ? [slotIn(query, values)] : [];
  const columns = [...by.flatMap((division) => columnsOf[division]), ...(table === 'figure_durations' ? ['step'] : [])];
  const selected = [...time.map((one) => `${one} as slot`), ...columns, addedIn[table]].join(', ');
  const groups = [...time.map(() => '1'), ...columns];
  const grouping = groups.length > 0 ? `group by ${groups.join(', ')}` : 'having count(*) > 0';
  const text = `select ${selected} from (${source}) as facts ${grouping} order by sum(count) desc limit ${String(maxRows)}`;
  return { statement: { name: `${table} ${by.map((one) => one[0]).join('')} ${whose.name} ${nameOf(parts)}`, text }, values: values.all };
}
