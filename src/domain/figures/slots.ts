import type { FieldProblem } from '../shared/errors';
import { InvalidInput } from '../shared/errors';
import type { FigureQuery } from './ports';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The longest range that can be asked for, in milliseconds. */
const longestMs = 31 * dayMs;
/** Where none is asked for. */
const usualMs = dayMs;
/** How long minutes are kept apart; older ones are in their hours alone. */
export const minutesKeptMs = 3 * dayMs;
/** How long hours are kept. */
export const hoursKeptMs = 40 * dayMs;

/** A range up to so long is shown in slots of so many seconds: at most a hundred of them. */
const slotOfRange = [
  [hourMs, 60],
  [6 * hourMs, 300],
  [36 * hourMs, 3600],
  [8 * dayMs, 10_800],
] as const;
const slotOfLong = 43_200;

/** A query: a range, and whose. */
export interface AskedFigures extends Omit<FigureQuery, 'from' | 'to' | 'slotS'> {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The range in whole slots: what lies beside it in the first and the last one belongs to it. Throws InvalidInput. */
export function slotted({ from: asked, to: askedTo, ...whose }: AskedFigures, now: number): FigureQuery {
  const to = askedTo ?? now;
  const from = asked ?? to - usualMs;
  const problems: FieldProblem[] = [];
  if (from >= to) problems.push({ path: 'from', rule: 'must be before to' });
  if (to - from > longestMs) problems.push({ path: 'from', rule: 'must be at most 31 days before to' });
  if (problems.length > 0) throw new InvalidInput(problems);
  const short = from > now - minutesKeptMs + hourMs ? slotOfRange : slotOfRange.slice(2);
  const slotS = short.find(([upTo]) => to - from <= upTo)?.[1] ?? slotOfLong;
  return { ...whose, from: floorTo(from, slotS), to: -floorTo(-to, slotS), slotS };
}

/** The beginning of the slot that a time lies in. */
export const floorTo = (at: number, slotS: number): number => Math.floor(at / (slotS * 1000)) * slotS * 1000;

/** The beginnings of all slots of a range, also of those in which nothing happened. */
export function slotsOf({ from, to, slotS }: FigureQuery): number[] {
  return Array.from({ length: Math.ceil((to - from) / (slotS * 1000)) }, (_, i) => from + i * slotS * 1000);
}
