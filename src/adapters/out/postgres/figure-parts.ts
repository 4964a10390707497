import type { Grain } from './figure.schema';

/** Milliseconds since the epoch, the first included, the second not. */
export type Span = readonly [number, number];

/** A part of a range, and what it is read from: sums of a grain, or single exchanges. */
export interface FigurePart {
  readonly from: Grain | 'single';
  readonly span: Span;
}

/** How far each grain is summed; absent: it is not. */
export type SummedUntil = Readonly<Partial<Record<Grain, number>>>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const widthOf: Readonly<Record<Grain, number>> = { minute: minuteMs, hour: hourMs, 'half-day': 12 * hourMs, 'all-hour': hourMs };

/**
 * What a range is read from so that each exchange of it is counted once: what `grains`, the coarsest first, have summed of it, and single
 * exchanges for the rest.
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

/** The grains that may be added up to whole slots that begin at `from` and are so many seconds long; any where time is not told apart. */
export function grainsOf({ from, slotS }: { readonly from: number; readonly slotS: number }, isByTime: boolean): readonly Grain[] {
  const fits = (grain: Grain): boolean => !isByTime || (from % widthOf[grain] === 0 && (slotS * 1000) % widthOf[grain] === 0);
  return (['half-day', 'hour', 'minute'] as const).filter(fits);
}
