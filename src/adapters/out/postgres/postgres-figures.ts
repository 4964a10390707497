import type { DataSource } from 'typeorm';
import type { Division, DurationCount, FigureQuery, Figures, Sum } from '../../../domain/figures/ports';
import type { Side, Step } from '../../../domain/shared/errors';
import { exchangesAsDurations, exchangesAsSums } from './figure-statements';
import { run, type Statement } from './statement';

/** Rows at most: those with the most exchanges. */
const most = 50_000;

const columnsOf: Readonly<Record<Division, readonly string[]>> = {
  time: [],
  pair: ['client_id', 'app_id'],
  call: ['call'],
  ending: ['status', 'error_code', 'failed_side', 'failed_step'],
};

/** How far the sums reach. As scalar queries they are known before the first row is looked for. */
const until = (grain: string): string => `coalesce((select until from figure_progress where grain = '${grain}'), '-infinity')`;

/** From $1 on, before $2; $3: whole hours may be used; of $4, $5 and $6 where they are given. */
const whose = '($4::text is null or client_id = $4) and ($5::text is null or app_id = $5) and ($6::text is null or call = $6)';
const minutesFrom = `case when $3 then greatest($1::timestamptz, ${until('hour')}) else $1::timestamptz end`;

/**
 * Hours as far as they reach, minutes as far as they do, then single exchanges: in one snapshot, so that none is missed or counted
 * twice. Of all pairs together first the hours of all.
 */
const everything = (table: string, ofAll: boolean, single: (where: string) => string): string => {
  const hours = ofAll
    ? `select ${columnsIn(table)} from ${table}
  where $3 and grain = 'all-hour' and slot >= $1 and slot < least($2::timestamptz, ${until('all-hour')}) and ${whose}
  union all
  `
    : '';
  const hoursFrom = ofAll ? `greatest($1::timestamptz, ${until('all-hour')})` : '$1';
  return `
  ${hours}select ${columnsIn(table)} from ${table}
  where $3 and grain = 'hour' and slot >= ${hoursFrom} and slot < least($2::timestamptz, ${until('hour')}) and ${whose}
  union all
  select ${columnsIn(table)} from ${table}
  where grain = 'minute' and slot >= ${minutesFrom} and slot < least($2::timestamptz, ${until('minute')}) and ${whose}
  union all
  ${single(`at >= greatest($1::timestamptz, ${until('minute')}) and at < $2 and ${whose}`)}`;
};

const columnsIn = (table: string): string =>
  table === 'figure_sums'
    ? 'slot, client_id, app_id, call, status, error_code, failed_side, failed_step, count, ms, hostapp_ms, miniapp_ms, first_at, last_at'
    : 'slot, client_id, app_id, call, step, count';

function divided(
  what: string,
  by: readonly Division[],
  { added, single, ofAll }: { added: string; single: (where: string) => string; ofAll: boolean },
): Statement {
  const time = by.includes('time') ? [`date_bin($7 * interval '1 second', slot, timestamptz 'epoch')`] : [];
  const columns = by.flatMap((division) => columnsOf[division]);
  const groups = [...time, ...columns, ...(what === 'durations' ? ['step'] : [])];
  const selected = [...time.map((one) => `${one} as slot`), ...groups.slice(time.length), added].join(', ');
  const grouping = groups.length > 0 ? `group by ${groups.join(', ')}` : 'having count(*) > 0';
  const text = `select ${selected} from (${everything(`figure_${what}`, ofAll, single)}) as facts ${grouping} order by sum(count) desc limit ${String(most)}`;
  return { name: `figures.${what}${ofAll ? '-of-all' : ''} ${by.join('.')}`, text };
}

const addedSums = `sum(count)::double precision as count, sum(ms)::double precision as ms, sum(hostapp_ms)::double precision as hostapp_ms,
  sum(miniapp_ms)::double precision as miniapp_ms, min(first_at) as first_at, max(last_at) as last_at`;

interface SumRow {
  slot?: Date;
  client_id?: string;
  app_id?: string;
  call?: string;
  status?: number;
  error_code?: string;
  failed_side?: string;
  failed_step?: string;
  step?: number;
  count: number;
  ms: number;
  hostapp_ms: number;
  miniapp_ms: number;
  first_at: Date;
  last_at: Date;
}

/** Figures from the sums of a range, and from single exchanges for what is not summed yet. */
export class PostgresFigures implements Figures {
  constructor(private readonly db: DataSource) {}

  async sums(query: FigureQuery, by: readonly Division[]): Promise<readonly Sum[]> {
    const rows = await this.read(query, by, divided('sums', by, { added: addedSums, single: exchangesAsSums, ofAll: isOfAll(query, by) }));
    return rows.map(sumFrom);
  }

  async durations(query: FigureQuery, by: readonly Extract<Division, 'time' | 'pair'>[]): Promise<readonly DurationCount[]> {
    const added = 'sum(count)::double precision as count';
    const rows = await this.read(query, by, divided('durations', by, { added, single: exchangesAsDurations, ofAll: isOfAll(query, by) }));
    return rows.map((row) => ({ ...placeOf(row), step: row.step ?? 0, count: row.count }));
  }

  private read(query: FigureQuery, by: readonly Division[], statement: Statement): Promise<SumRow[]> {
    const { from, to, slotS, clientId = null, appId = null, call = null } = query;
    const values = [new Date(from), new Date(to), slotS % 3600 === 0, clientId, appId, call];
    return run<SumRow>(this.db, statement, by.includes('time') ? [...values, slotS] : values);
  }
}

/** Whether pairs matter to nobody. */
const isOfAll = ({ clientId, appId }: FigureQuery, by: readonly Division[]): boolean =>
  clientId === undefined && appId === undefined && !by.includes('pair');

const sumFrom = (row: SumRow): Sum => ({
  ...placeOf(row),
  call: row.call,
  status: row.status,
  errorCode: said(row.error_code),
  // Only words that an exchange can have are written.
  failedSide: said(row.failed_side) as Side | undefined,
  failedStep: said(row.failed_step) as Step | undefined,
  count: row.count,
  ms: row.ms,
  hostAppMs: row.hostapp_ms,
  miniappMs: row.miniapp_ms,
  firstAt: row.first_at.getTime(),
  lastAt: row.last_at.getTime(),
});

const placeOf = (row: SumRow): Pick<Sum, 'slot' | 'clientId' | 'appId'> => ({
  slot: row.slot?.getTime(),
  clientId: said(row.client_id),
  appId: said(row.app_id),
});

const said = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
