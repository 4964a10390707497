/** The named ranges in milliseconds, shortest first. */
export const rangeMs = { '15m': 900_000, '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000, '31d': 2_678_400_000 } as const;
export type RangeName = keyof typeof rangeMs;

export const rangeTitles: Readonly<Record<RangeName, string>> = {
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '31d': 'Last 31 days',
};

/** A time range: one that ends now, or two instants in milliseconds since the epoch. */
export type TimeRange = { readonly name: RangeName } | { readonly from: number; readonly to: number };

const isName = (text: string | null): text is RangeName => text !== null && Object.hasOwn(rangeMs, text);

/** The range in a page's query; the last 24 hours when there is no valid one. */
export function rangeIn(query: URLSearchParams): TimeRange {
  const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')];
  if (from < to) return { from, to: Math.min(to, from + rangeMs['31d']) };
  const name = query.get('range');
  return { name: isName(name) ? name : '24h' };
}

/** Replaces the range in the query; the default is left out. */
export function withRange(query: URLSearchParams, range: TimeRange): URLSearchParams {
  const changed = new URLSearchParams(query);
  for (const name of ['range', 'from', 'to']) changed.delete(name);
  if ('name' in range) {
    if (range.name !== '24h') changed.set('range', range.name);
  } else for (const end of ['from', 'to'] as const) changed.set(end, new Date(range[end]).toISOString());
  return changed;
}

/** Start and end of a range at the time `now`. */
export const endsOf = (range: TimeRange, now: number): { from: number; to: number } =>
  'name' in range ? { from: now - rangeMs[range.name], to: now } : range;
