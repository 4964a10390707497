import type { DataSource } from 'typeorm';
import { floorTo } from '../../../../domain/figures/slots';
import { run } from '../connection/statement';
import type { MoneyGrain, MoneySumProgressRow } from './money-sum.schema';
import { moneySums } from './money-sum-statements';

const hourS = 3600;
const dayS = 86_400;

/** A time range in milliseconds since the epoch, without its end; either may be infinite. */
export type Range = readonly [from: number, to: number];

/** The sources of a range: whole hours come from sums and changes, the rest from single records. */
export interface SumRanges {
  readonly records: readonly Range[];
  /** Parts in order of time; no day occurs in two of them. */
  readonly sums: readonly { readonly grain: MoneyGrain; readonly range: Range }[];
  readonly changes: Range;
}

const isSome = ([from, to]: Range): boolean => from < to;
const ceilTo = (at: number, slotS: number): number => -floorTo(-at, slotS);

/** Splits a range. Nothing before `since` is summed. */
export function sumRanges([from, to]: Range, since: number): SumRanges {
  const sumFrom = Math.min(to, Math.max(ceilTo(from, hourS), since));
  const sumTo = Math.max(sumFrom, floorTo(to, hourS));
  const records = (
    [
      [from, sumFrom],
      [sumTo, to],
    ] as const
  ).filter(isSome);
  const [dayFrom, dayTo] = [ceilTo(sumFrom, dayS), floorTo(sumTo, dayS)];
  const parts = [
    { grain: 'hour', range: [sumFrom, Math.min(dayFrom, sumTo)] },
    { grain: 'day', range: [dayFrom, dayTo] },
    { grain: 'hour', range: [Math.max(dayFrom, dayTo), sumTo] },
  ] as const;
  return { records, sums: parts.filter(({ range }) => isSome(range)), changes: [sumFrom, sumTo] };
}

/** Reads the time since which records are summed. That time only moves back, so an earlier reading stays valid. */
export class SumsReach {
  private readonly done = new Set<keyof typeof moneySums>();

  constructor(private readonly db: DataSource) {}

  /** The time in milliseconds since the epoch. Infinity: nothing is summed; -Infinity: everything is. */
  async since(name: keyof typeof moneySums): Promise<number> {
    if (this.done.has(name)) return -Infinity;
    const [row] = await run<Pick<MoneySumProgressRow, 'since'>>(this.db, moneySums[name].since, []);
    const since = row === undefined ? Infinity : Number(row.since);
    if (since === -Infinity) this.done.add(name);
    return since;
  }
}
