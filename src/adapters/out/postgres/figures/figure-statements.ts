import { stepRatio } from '../../../../domain/figures/durations';
import type { Statement } from '../connection/statement';

const key = 'client_id, app_id, call, status, error_code, failed_side, failed_step';

/** The time spent in legs to one side, rounded like the total. */
const spentAt = (to: string): string =>
  `coalesce((select round(sum((leg ->> 'ms')::double precision)) from jsonb_array_elements(legs) as leg where leg ->> 'to' = '${to}'), 0)::bigint`;

/** Single exchanges in the shape of sums; `where` selects them. */
export const exchangesAsSums = (where: string): string => `
  select at as slot, coalesce(client_id, '') as client_id, coalesce(app_id, '') as app_id, call, status,
    coalesce(error_code, '') as error_code, coalesce(failed_side, '') as failed_side, coalesce(failed_step, '') as failed_step,
    1::bigint as count, ms::bigint as ms, ${spentAt('hostapp')} as hostapp_ms, ${spentAt('miniapp')} as miniapp_ms, at as first_at, at as last_at
  from exchanges where ${where}`;

export const stepOfMs = `ceil(ln(greatest(ms, 1)::double precision) / ln(${String(stepRatio)}::double precision))::integer`;

/** Single exchanges in the shape of duration counts; `where` selects them. */
export const exchangesAsDurations = (where: string): string => `
  select at as slot, coalesce(client_id, '') as client_id, coalesce(app_id, '') as app_id, call, ${stepOfMs} as step, 1::bigint as count
  from exchanges where ${where}`;

const added = `sum(count) as count, sum(ms) as ms, sum(hostapp_ms) as hostapp_ms, sum(miniapp_ms) as miniapp_ms, min(first_at) as first_at, max(last_at) as last_at`;
const inRange = 'at >= $1 and at < $2';

/** Deletes the sums of slots that begin at or after $1 and before $2. */
export const forgetSums = (grain: string): Statement => ({
  name: `figures.forget-sums-${grain}`,
  text: `delete from figure_sums where grain = '${grain}' and slot >= $1 and slot < $2`,
});
export const forgetDurations = (grain: string): Statement => ({
  name: `figures.forget-durations-${grain}`,
  text: `delete from figure_durations where grain = '${grain}' and slot >= $1 and slot < $2`,
});

export const sumMinutes: Statement = {
  name: 'figures.sum-minutes',
  text: `
    insert into figure_sums (grain, slot, ${key}, count, ms, hostapp_ms, miniapp_ms, first_at, last_at)
    select 'minute', date_trunc('minute', slot), ${key}, ${added} from (${exchangesAsSums(inRange)}) as single
    group by date_trunc('minute', slot), ${key}`,
};

export const countMinutes: Statement = {
  name: 'figures.count-minutes',
  text: `
    insert into figure_durations (grain, slot, client_id, app_id, call, step, count)
    select 'minute', date_trunc('minute', slot), client_id, app_id, call, step, sum(count) from (${exchangesAsDurations(inRange)}) as single
    group by date_trunc('minute', slot), client_id, app_id, call, step`,
};

export const sumHours: Statement = {
  name: 'figures.sum-hours',
  text: `
    insert into figure_sums (grain, slot, ${key}, count, ms, hostapp_ms, miniapp_ms, first_at, last_at)
    select 'hour', date_trunc('hour', slot), ${key}, ${added} from figure_sums
    where grain = 'minute' and slot >= $1 and slot < $2 group by date_trunc('hour', slot), ${key}`,
};

export const countHours: Statement = {
  name: 'figures.count-hours',
  text: `
    insert into figure_durations (grain, slot, client_id, app_id, call, step, count)
    select 'hour', date_trunc('hour', slot), client_id, app_id, call, step, sum(count) from figure_durations
    where grain = 'minute' and slot >= $1 and slot < $2 group by date_trunc('hour', slot), client_id, app_id, call, step`,
};

const keyOfAll = `'', '', call, status, error_code, failed_side, failed_step`;

/** Hourly sums over all pairs, added up from the hours of each pair. */
export const sumAllHours: Statement = {
  name: 'figures.sum-all-hours',
  text: `
    insert into figure_sums (grain, slot, ${key}, count, ms, hostapp_ms, miniapp_ms, first_at, last_at)
    select 'all-hour', slot, ${keyOfAll}, ${added} from figure_sums
    where grain = 'hour' and slot >= $1 and slot < $2 group by slot, call, status, error_code, failed_side, failed_step`,
};

export const countAllHours: Statement = {
  name: 'figures.count-all-hours',
  text: `
    insert into figure_durations (grain, slot, client_id, app_id, call, step, count)
    select 'all-hour', slot, '', '', call, step, sum(count) from figure_durations
    where grain = 'hour' and slot >= $1 and slot < $2 group by slot, call, step`,
};

const halfDay = `date_bin('12 hours', slot, timestamptz 'epoch')`;

/**
 * Adds the hours that begin at or after $1 and before $2 to their half-days, each hour once. Rows of a pair are written together because
 * they are read together.
 */
export const addToHalfDays: readonly Statement[] = [
  {
    name: 'figures.add-sums-to-half-days',
    text: `
      insert into figure_sums as whole (grain, slot, ${key}, count, ms, hostapp_ms, miniapp_ms, first_at, last_at)
      select 'half-day', ${halfDay}, ${key}, ${added} from figure_sums
      where grain = 'hour' and slot >= $1 and slot < $2 group by ${halfDay}, ${key} order by client_id, app_id
      on conflict (grain, slot, ${key}) do update set count = whole.count + excluded.count, ms = whole.ms + excluded.ms,
        hostapp_ms = whole.hostapp_ms + excluded.hostapp_ms, miniapp_ms = whole.miniapp_ms + excluded.miniapp_ms,
        first_at = least(whole.first_at, excluded.first_at), last_at = greatest(whole.last_at, excluded.last_at)`,
  },
  {
    name: 'figures.add-durations-to-half-days',
    text: `
      insert into figure_durations as whole (grain, slot, client_id, app_id, call, step, count)
      select 'half-day', ${halfDay}, client_id, app_id, call, step, sum(count) from figure_durations
      where grain = 'hour' and slot >= $1 and slot < $2 group by ${halfDay}, client_id, app_id, call, step order by client_id, app_id
      on conflict (grain, slot, client_id, app_id, call, step) do update set count = whole.count + excluded.count`,
  },
  {
    name: 'figures.add-pairs-to-half-days',
    text: `
      insert into figure_pairs as whole (slot, client_id, app_id, count, failed)
      select ${halfDay}, client_id, app_id, sum(count), coalesce(sum(count) filter (where status >= 400), 0) from figure_sums
      where grain = 'hour' and slot >= $1 and slot < $2 and client_id <> '' and app_id <> '' group by ${halfDay}, client_id, app_id
      on conflict (slot, client_id, app_id) do update set count = whole.count + excluded.count, failed = whole.failed + excluded.failed`,
  },
];

/** Lets one instance at a time add up. No row: another instance holds the lock. */
export const lockProgress: Statement = {
  name: 'figures.lock-progress',
  // Locks a single row: with several rows, two instances could each lock some.
  text: `select grain from figure_progress where grain = 'hour' for update skip locked`,
};

/** The end of the summed time of each grain. */
export const progress: Statement = {
  name: 'figures.progress',
  text: 'select grain, until from figure_progress',
};

/**
 * Sums begin with the first stored exchange, or now ($1), rounded down to the hour so that no hour is partly summed. Grains made from hours
 * begin with the first hour; half-days begin with the half-day that contains it.
 */
export const beginProgress: Statement = {
  name: 'figures.begin-progress',
  text: `
    insert into figure_progress (grain, until)
    select grain, date_bin(case grain when 'half-day' then interval '12 hours' else interval '1 hour' end,
      coalesce(case when grain in ('half-day', 'all-hour') then hours.first end, (select min(at) from exchanges), $1::timestamptz), timestamptz 'epoch')
    from unnest(array['minute', 'hour', 'half-day', 'all-hour']) as grain,
      (select min(slot) as first from figure_sums where grain = 'hour') as hours
    on conflict (grain) do nothing`,
};

export const noteProgress: Statement = { name: 'figures.note-progress', text: 'update figure_progress set until = $2 where grain = $1' };

export const firstHourSince: Statement = {
  name: 'figures.first-hour-since',
  text: `select min(slot) as at from figure_sums where grain = 'hour' and slot >= $1`,
};

export const firstSince: Statement = { name: 'figures.first-since', text: 'select min(at) as at from exchanges where at >= $1' };

/** Minutes of a summed range whose exchanges differ from the sums, because some exchanges were written late. */
export const minutesThatDiffer: Statement = {
  name: 'figures.minutes-that-differ',
  text: `
    select coalesce(e.slot, s.slot) as slot
    from (select date_trunc('minute', at) as slot, count(*) as count from exchanges where ${inRange} group by 1) as e
    full join (select slot, sum(count) as count from figure_sums where grain = 'minute' and slot >= $1 and slot < $2 group by 1) as s on s.slot = e.slot
    where e.count is distinct from s.count`,
};

/** Deletes minutes before $1 whose hours are summed. */
export const pruneMinutes: readonly Statement[] = ['figure_sums', 'figure_durations'].map((table) => ({
  name: `${table}.prune-minutes`,
  text: `delete from ${table} where grain = 'minute' and slot < least($1::timestamptz, (select until from figure_progress where grain = 'hour'))`,
}));

/** Deletes hours and half-days before $1. */
export const pruneHours: readonly Statement[] = [
  ...['figure_sums', 'figure_durations'].map((table) => ({
    name: `${table}.prune-hours`,
    text: `delete from ${table} where grain in ('hour', 'half-day', 'all-hour') and slot < $1`,
  })),
  { name: 'figure_pairs.prune', text: 'delete from figure_pairs where slot < $1' },
];
