import { codesOfCauses, outcomes } from '../../../../domain/figures/outcome';
import type { FigureQuery, PairOrder } from '../../../../domain/figures/ports';
import type { PageRequest } from '../../../../domain/partners/ports';
import type { FigurePart } from './figure-parts';
import { inPairs, nameOf, rowsOf, slotIn, union, Values, whoseOf, within, type Question, type Scope, type Table } from './figure-questions';

/** The parts of the range: for the order and the durations, and for the slots of each pair. */
export interface RankingParts {
  readonly ranks: readonly FigurePart[];
  readonly slots: readonly FigurePart[];
}

/** A pair of the page; its members are null on the only row of an empty page. */
export interface RankedRow {
  readonly total: number;
  readonly client_id: string | null;
  readonly app_id: string | null;
  /** Each slot with an exchange: when it begins in milliseconds since the epoch, and the numbers of the outcomes, in their order. */
  readonly slots: readonly (readonly [number, number, number, number, number])[] | null;
  readonly steps: readonly (readonly [number, number])[] | null;
  readonly count: number;
  readonly ms: number;
  readonly hostapp_ms: number;
  readonly miniapp_ms: number;
  readonly last_at: Date;
}

const rankOf: Readonly<Record<PairOrder, string>> = { traffic: '-count', failures: '-failed', id: '0' };

/** The outcome of an exchange, as `outcomeOf` in the domain decides it. */
const outcome = `case when status < 400 then 'ok'
      when failed_side in ('hostapp', 'miniapp') and failed_step <> '' and error_code not in (${codesOfCauses.map((code) => `'${code}'`).join(', ')}) then 'partner_error'
      when status >= 500 then 'platform_error' else 'refused' end`;

const countOf = (word: string): string => `coalesce(sum(count) filter (where outcome = '${word}'), 0)`;

/** Asks for a page of pairs with their sums, and for the total number of pairs. Returns at least one row, whose pair is null on an empty page. */
export function rankingQuestion(
  query: FigureQuery,
  order: PairOrder,
  { page: { limit, after }, parts }: { readonly page: PageRequest; readonly parts: RankingParts },
): Question {
  const values = new Values();
  const scope = { whose: whoseOf(query, values), values };
  const text = `
    with pairs as materialized (
      select client_id collate "C" as client_id, app_id collate "C" as app_id, sum(count) as count, sum(failed) as failed from (${countsIn(parts.ranks, scope)}) as facts
      where client_id <> '' and app_id <> '' group by client_id, app_id
    ), page as materialized (
      select ${rankOf[order]} as rank, client_id, app_id from pairs ${after === undefined ? '' : behind(order, after, values)}
      order by 1, client_id, app_id limit ${values.take(limit)}
    ), sums as materialized (${slotsOfPage(query, parts.slots, scope)}
    ), durations as materialized (
      select client_id, app_id, json_agg(json_build_array(step, count)) as steps
      from (${countedOfPage(parts.ranks, scope)}) as counted group by client_id, app_id
    )
    select total.n as total, own.*
    from (select count(*)::integer as n from pairs) as total
    left join (page join sums using (client_id, app_id) join durations using (client_id, app_id)) as own on true
    order by own.rank, own.client_id, own.app_id`;
  const name = `figures.ranking ${order} ${scope.whose.name} ${nameOf(parts.ranks)} ${nameOf(parts.slots)}${after === undefined ? '' : ' after'}`;
  return { statement: { name, text }, values: values.all };
}

/** Slots come as one value for each pair: as rows, a page would have thousands. */
function slotsOfPage(query: FigureQuery, parts: readonly FigurePart[], scope: Scope): string {
  return `
      select client_id, app_id, json_agg(json_build_array(extract(epoch from slot) * 1000, ok, partner_error, refused, platform_error)) as slots,
        sum(count)::double precision as count, sum(ms)::double precision as ms, sum(hostapp_ms)::double precision as hostapp_ms,
        sum(miniapp_ms)::double precision as miniapp_ms, max(last_at) as last_at
      from (
        select client_id, app_id, ${slotIn(query, scope.values)} as slot, sum(count) as count, sum(ms) as ms, sum(hostapp_ms) as hostapp_ms,
          sum(miniapp_ms) as miniapp_ms, max(last_at) as last_at, ${outcomes.map((word) => `${countOf(word)} as ${word}`).join(', ')}
        from (select *, ${outcome} as outcome from (${ofPage('figure_sums', parts, scope)}) as facts) as facts
        group by client_id, app_id, 3
      ) as slots group by client_id, app_id`;
}

const countedOfPage = (parts: readonly FigurePart[], scope: Scope): string =>
  `select client_id, app_id, step, sum(count) as count from (${ofPage('figure_durations', parts, scope)}) as facts group by client_id, app_id, step`;

/** The rows of the parts that belong to the pairs of the page. */
function ofPage(table: Table, parts: readonly FigurePart[], { whose, values }: Scope): string {
  const paged = `and client_id = any(array(select distinct client_id from page)) ${inPairs('select client_id, app_id from page')}`;
  return rowsOf(table, parts, { whose: { ...whose, where: `${whose.where} ${paged}` }, values });
}

/** The exchanges and failures of each pair. Half-days over all pairs are stored in this form. */
const countsIn = (parts: readonly FigurePart[], scope: Scope): string =>
  union(
    parts.map((part) => {
      if (part.from === 'half-day' && scope.whose.name === '') {
        return `select client_id, app_id, count, failed from figure_pairs where ${within('slot', part, scope.values)}`;
      }
      const failed = 'case when status >= 400 then count else 0 end as failed';
      return `select client_id, app_id, count, ${failed} from (${rowsOf('figure_sums', [part], scope)}) as part`;
    }),
  );

function behind(order: PairOrder, after: string, { take }: Values): string {
  const [client = '', app = ''] = after.split('/');
  const [clientId, appId] = [take(client), take(app)];
  if (order === 'id') return `where (client_id, app_id) > (${clientId}, ${appId})`;
  const rank = rankOf[order];
  return `where (${rank}, client_id, app_id) > (select ${rank}, client_id, app_id from pairs where client_id = ${clientId} and app_id = ${appId})`;
}
