import type { FieldProblem } from '../shared/errors';
import { InvalidInput } from '../shared/errors';
import type { FigureQuery } from './ports';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Maximum length of a range, in milliseconds. */
const longestMs = 31 * dayMs;
/** Default length of a range. */
const usualMs = dayMs;
/** Retention of counts by minute; older counts exist by hour only. */
export const minutesKeptMs = 3 * dayMs;
/** Retention of counts by hour. */
export const hoursKeptMs = 40 * dayMs;

/** Slot length in seconds by maximum length of the range, so that there are at most a hundred slots. */
const slotOfRange = [
  [hourMs, 60],
  [6 * hourMs, 300],
  [36 * hourMs, 3600],
  [8 * dayMs, 10_800],
] as const;
const slotOfLong = 43_200;

/** A query with an optional range. */
export interface FigureRange extends Omit<FigureQuery, 'from' | 'to' | 'slotS'> {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Extends the range to whole slots. Throws InvalidInput. */
export function slotted({ from: fromGiven, to: toGiven, ...whose }: FigureRange, now: number): FigureQuery {
  const to = toGiven ?? now;
  const from = fromGiven ?? to - usualMs;
  const problems: FieldProblem[] = [];
  if (from >= to) problems.push({ path: 'from', rule: 'must be before to' });
  if (to - from > longestMs) problems.push({ path: 'from', rule: 'must be at most 31 days before to' });
  if (problems.length > 0) throw new InvalidInput(problems);
  const short = from > now - minutesKeptMs + hourMs ? slotOfRange : slotOfRange.slice(2);
  const slotS = short.find(([upTo]) => to - from <= upTo)?.[1] ?? slotOfLong;
  return { ...whose, from: floorTo(from, slotS), to: -floorTo(-to, slotS), slotS };
}

/** The beginning of the slot that contains a time. */
export const floorTo = (at: number, slotS: number): number => Math.floor(at / (slotS * 1000)) * slotS * 1000;

/** The beginnings of all slots of a range, including empty slots. */
export function slotsOf({ from, to, slotS }: FigureQuery): number[] {
  return Array.from({ length: Math.ceil((to - from) / (slotS * 1000)) }, (_, i) => from + i * slotS * 1000);
}
