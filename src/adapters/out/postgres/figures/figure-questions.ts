import type { Division, FigureQuery, PairOrder } from '../../../../domain/figures/ports';
import type { PageRequest } from '../../../../domain/partners/ports';
import type { FigurePart } from './figure-parts';
import { exchangesAsDurations, exchangesAsSums } from './figure-statements';
import type { Statement } from '../connection/statement';

/** A statement with only the requested conditions, and their values. */
export interface Question {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

type Table = 'figure_sums' | 'figure_durations';

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
class Values {
  readonly all: unknown[] = [];
  readonly take = (value: unknown): string => `$${String(this.all.push(value))}`;
  readonly time = (at: number): string => `${this.take(new Date(at))}::timestamptz`;
}

interface Whose {
  readonly where: string;
  /** The conditions in use, as part of the statement's name. */
  readonly name: string;
}

function whoseOf({ clientId, appId, call, pairs, hasFailed }: FigureQuery, { take }: Values): Whose {
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
    conditions.push(`and client_id = any(${clients}::text[])`);
    conditions.push(`and (client_id, app_id) in (select * from unnest(${clients}::text[], ${apps}::text[]))`);
    names.push('pairs');
  }
  return { where: conditions.join(' '), name: names.join('-') };
}

const within = (column: string, { span: [from, to] }: FigurePart, { time }: Values): string =>
  `${column} >= ${time(from)} and ${column} < ${time(to)}`;

const fromTable = (table: Table, part: FigurePart, { whose, values }: { readonly whose: Whose; readonly values: Values }): string =>
  part.from === 'single'
    ? singlesOf[table](`${within('at', part, values)} ${whose.where}`)
    : `select ${columnsIn[table]} from ${table} where grain = '${part.from}' and ${within('slot', part, values)} ${whose.where}`;

/** The parts of the range, as part of the statement's name. */
const nameOf = (parts: readonly FigurePart[]): string => parts.map(({ from }) => from[0]).join('');

/** Asks for the sums or the durations of a range that consists of these parts. */
export function figureQuestion(
  table: Table,
  query: FigureQuery,
  { by, parts }: { by: readonly Division[]; parts: readonly FigurePart[] },
): Question {
  const values = new Values();
  const whose = whoseOf(query, values);
  const source = parts.map((part) => fromTable(table, part, { whose, values })).join('\n  union all\n  ');
  const time = by.includes('time') ? [`date_bin(${values.take(query.slotS)} * interval '1 second', slot, ${values.time(query.from)})`] : [];
  const columns = [...by.flatMap((division) => columnsOf[division]), ...(table === 'figure_durations' ? ['step'] : [])];
  const selected = [...time.map((one) => `${one} as slot`), ...columns, addedIn[table]].join(', ');
  const groups = [...time.map(() => '1'), ...columns];
  const grouping = groups.length > 0 ? `group by ${groups.join(', ')}` : 'having count(*) > 0';
  const text = `select ${selected} from (${source}) as facts ${grouping} order by sum(count) desc limit ${String(maxRows)}`;
  return { statement: { name: `${table} ${by.map((one) => one[0]).join('')} ${whose.name} ${nameOf(parts)}`, text }, values: values.all };
}

const rankOf: Readonly<Record<PairOrder, string>> = { traffic: '-count', failures: '-failed', id: '0' };

interface RankingPage {
  readonly page: PageRequest;
  readonly parts: readonly FigurePart[];
}

/** Asks for a page of pairs and their total number. Returns at least one row, whose pair is null on an empty page. */
export function rankingQuestion(query: FigureQuery, order: PairOrder, { page: { limit, after }, parts }: RankingPage): Question {
  const values = new Values();
  const whose = whoseOf(query, values);
  const source = parts.map((part) => countsIn(part, { whose, values })).join('\n    union all\n    ');
  const text = `
    with pairs as materialized (
      select client_id collate "C" as client_id, app_id collate "C" as app_id, sum(count) as count, sum(failed) as failed from (${source}) as facts
      where client_id <> '' and app_id <> '' group by client_id, app_id
    )
    select total.n as total, page.client_id, page.app_id
    from (select count(*)::integer as n from pairs) as total
    left join (
      select ${rankOf[order]} as rank, client_id, app_id from pairs ${after === undefined ? '' : behind(order, after, values)}
      order by 1, client_id, app_id limit ${values.take(limit)}
    ) as page on true
    order by page.rank, page.client_id, page.app_id`;
  const name = `figures.ranking ${order} ${whose.name} ${nameOf(parts)}${after === undefined ? '' : ' after'}`;
  return { statement: { name, text }, values: values.all };
}

/** The exchanges and failures of each pair in one part. Half-days over all pairs are stored in this form. */
function countsIn(part: FigurePart, scope: { readonly whose: Whose; readonly values: Values }): string {
  if (part.from === 'half-day' && scope.whose.name === '') {
    return `select client_id, app_id, count, failed from figure_pairs where ${within('slot', part, scope.values)}`;
  }
  const failed = 'case when status >= 400 then count else 0 end as failed';
  return `select client_id, app_id, count, ${failed} from (${fromTable('figure_sums', part, scope)}) as part`;
}

function behind(order: PairOrder, after: string, { take }: Values): string {
  const [client = '', app = ''] = after.split('/');
  const [clientId, appId] = [take(client), take(app)];
  if (order === 'id') return `where (client_id, app_id) > (${clientId}, ${appId})`;
  const rank = rankOf[order];
  return `where (${rank}, client_id, app_id) > (select ${rank}, client_id, app_id from pairs where client_id = ${clientId} and app_id = ${appId})`;
}
