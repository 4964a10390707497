import type { PaidDay } from './wire';

const dayMs = 86_400_000;

/** The first instant of an instant's day (UTC). */
export const dayOf = (at: number): number => Math.floor(at / dayMs) * dayMs;

/** The first instant of the day after it. */
export const dayAfter = (at: number): number => dayOf(at) + dayMs;

/** A sum of one day for a chart, whose heights alone are floats. */
export interface DrawnDay {
  readonly at: number;
  readonly values: { readonly reported: number; readonly relayed: number; readonly difference: number };
}

/** Each day that the range touches; nothing was paid on those that are not among `days`: a line past them would say otherwise. */
export function everyDay(days: readonly PaidDay[], { from, to }: { readonly from: number; readonly to: number }): DrawnDay[] {
  const paid = new Map(days.map((one) => [Date.parse(one.day), one]));
  const drawn: DrawnDay[] = [];
  for (let at = dayOf(from); at < to; at += dayMs) {
    const { reported, relayed, difference = 0 } = paid.get(at) ?? {};
    const values = { reported: Number(reported?.amount ?? 0), relayed: Number(relayed?.amount ?? 0), difference: Number(difference) };
    drawn.push({ at, values });
  }
  return drawn;
}
