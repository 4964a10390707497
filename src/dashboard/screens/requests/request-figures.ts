import { outcomeColors } from '../../parts/charts/palette';
import { msWords } from './request-model';

export interface SpreadFigures {
  readonly from: string;
  readonly to: string;
  readonly slot_s: number;
  readonly data: readonly { readonly at: string; readonly from_ms: number; readonly to_ms?: number; readonly count: number }[];
}

export interface Ending {
  readonly outcome: 'ok' | 'partner_error' | 'refused' | 'platform_error';
  readonly status: number;
  readonly error_code?: string;
  readonly failed_side?: string;
  readonly failed_step?: string;
  readonly count: number;
}

export interface ErrorFigures {
  readonly statuses: readonly Ending[];
  readonly failures: readonly Ending[];
}

interface SpreadRow {
  readonly fromMs: number;
  readonly title: string;
}

interface Spread {
  /** Milliseconds since the epoch. */
  readonly columns: readonly number[];
  /** Shortest first. */
  readonly rows: readonly SpreadRow[];
  readonly valueAt: (column: number, row: number) => number;
  readonly total: number;
}

/** The statistics as a grid without gaps. */
export function spreadOf(figures: SpreadFigures | undefined): Spread {
  const data = figures?.data ?? [];
  const rows = [...new Map(data.map((one) => [one.from_ms, rowOf(one)])).values()].sort((a, b) => a.fromMs - b.fromMs);
  const counts = new Map(data.map((one) => [`${String(Date.parse(one.at))} ${String(one.from_ms)}`, one.count]));
  const columns = figures === undefined ? [] : slotsOf(figures);
  return {
    columns,
    rows,
    valueAt: (column, row) => counts.get(`${String(columns[column])} ${String(rows[row]?.fromMs)}`) ?? 0,
    total: data.reduce((sum, { count }) => sum + count, 0),
  };
}

const rowOf = ({ from_ms: fromMs, to_ms: toMs }: SpreadFigures['data'][number]): SpreadRow => ({
  fromMs,
  title: toMs === undefined ? `> ${msWords(fromMs)}` : `≤ ${msWords(toMs)}`,
});

const maxColumns = 200;

/** Start times of all slots of the range, including empty ones. */
function slotsOf({ from, to, slot_s: slotS }: SpreadFigures): number[] {
  const [first, stepMs] = [Date.parse(from), slotS * 1000];
  const count = Math.min(maxColumns, Math.round((Date.parse(to) - first) / stepMs));
  return Array.from({ length: count }, (_, i) => first + i * stepMs);
}

const colorOf = {
  ok: outcomeColors.ok,
  partner_error: outcomeColors.partner,
  refused: outcomeColors.refused,
  platform_error: outcomeColors.platform,
};

/** The ten most frequent results: successful calls by status, others by error code. */
export function errorItems(figures: ErrorFigures | undefined) {
  const sums = new Map<string, { id: string; title: string; value: number; color: string; filters: Record<string, string | number> }>();
  for (const { outcome, status, error_code, count } of [
    ...(figures?.statuses ?? []).filter(({ outcome: how }) => how === 'ok'),
    ...(figures?.failures ?? []),
  ]) {
    const id = error_code ?? String(status);
    const before = sums.get(id)?.value ?? 0;
    const filters = error_code === undefined ? { status } : { error_code };
    sums.set(id, { id, title: error_code ?? `${String(status)} OK`, value: before + count, color: colorOf[outcome], filters });
  }
  return [...sums.values()].sort((a, b) => b.value - a.value).slice(0, 10);
}
