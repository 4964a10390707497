import type { PaidDay } from './analytics-model';

const dayMs = 86_400_000;

/** Start of the UTC day of an instant. */
export const dayOf = (at: number): number => Math.floor(at / dayMs) * dayMs;

/** Start of the next UTC day. */
export const dayAfter = (at: number): number => dayOf(at) + dayMs;

/** A day's sums for a chart. Only their heights are floats. */
export interface DrawnDay {
  readonly at: number;
  readonly values: { readonly reported: number; readonly relayed: number; readonly difference: number };
}

/** Every day of the range. Days that are not in `days` had no payments and get zeros, as a line would otherwise skip them. */
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
