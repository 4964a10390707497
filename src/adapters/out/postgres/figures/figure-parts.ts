import type { Grain } from './figure.schema';

/** A range in milliseconds since the epoch, without its end. */
export type Span = readonly [number, number];

/** A part of a range and its source: sums of a grain, or single exchanges. */
export interface FigurePart {
  readonly from: Grain | 'single';
  readonly span: Span;
}

/** The end of the summed time of each grain; absent: the grain is not summed. */
export type SummedUntil = Readonly<Partial<Record<Grain, number>>>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const widthOf: Readonly<Record<Grain, number>> = { minute: minuteMs, hour: hourMs, 'half-day': 12 * hourMs, 'all-hour': hourMs };

/**
 * Splits a range so that each exchange counts once: sums of `grains` (coarsest first) as far as they reach, and single exchanges for the
 * rest.
 */
export function partsOf(range: Span, grains: readonly Grain[], until: SummedUntil): readonly FigurePart[] {
  const [grain, ...finer] = grains;
  if (grain === undefined) return range[0] < range[1] ? [{ from: 'single', span: range }] : [];
  const width = widthOf[grain];
  const begin = Math.ceil(range[0] / width) * width;
  const end = Math.floor(Math.min(range[1], until[grain] ?? 0) / width) * width;
  if (end <= begin) return partsOf(range, finer, until);
  return [{ from: grain, span: [begin, end] }, ...partsOf([range[0], begin], finer, until), ...partsOf([end, range[1]], finer, until)];
}

/** The grains whose sums fit into slots of `slotS` seconds that begin at `from`; all grains when the result is not by time. */
export function grainsOf({ from, slotS }: { readonly from: number; readonly slotS: number }, isByTime: boolean): readonly Grain[] {
  const fits = (grain: Grain): boolean => !isByTime || (from % widthOf[grain] === 0 && (slotS * 1000) % widthOf[grain] === 0);
  return (['half-day', 'hour', 'minute'] as const).filter(fits);
}
