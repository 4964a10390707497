import type { DataSource, EntityManager } from 'typeorm';
import type { FigureRoll } from '../../../domain/figures/ports';
import { floorTo, hoursKeptMs, minutesKeptMs } from '../../../domain/figures/slots';
import type { FigureProgressRow, Grain } from './figure.schema';
import * as statements from './figure-statements';
import { run, runIn, transaction, type Statement } from './statement';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Exchanges come to be written after they have ended: so much later a minute is summed. */
const settledMs = 45_000;
/** Slots that are summed in one transaction. */
const atOnceMs = 10 * minuteMs;
/** So long after it was summed a minute is counted again, for exchanges written later still. */
const countedAgainMs = 10 * minuteMs;
/** So long after its end nothing is counted again in an hour. */
const restsAfterMs = 2 * countedAgainMs;
/** Hours of all pairs that are summed in one transaction. */
const allAtOnceMs = 12 * hourMs;

type Until = Readonly<Record<Grain, number>>;

/**
 * Sums exchanges by minute and by hour, of each pair and hours of all, each one once: a slot is summed as a whole, replacing its earlier sum, in
 * the transaction that notes how far the sums reach. Hours that rest are added to their half-days. Over all instances one sums at a time. Source: ADR 027.
 */
export class PostgresFigureRoll implements FigureRoll {
  /** When old rows were removed last, in milliseconds since the epoch. */
  private prunedAt = 0;

  constructor(private readonly db: DataSource) {}

  /** Sums what has settled by `now` (milliseconds since the epoch), ten minutes at most. True: there is more. */
  async advance(now: number): Promise<boolean> {
    await run(this.db, statements.beginProgress, [new Date(now)]);
    const more = await transaction(this.db, (manager) => advanceIn(manager, now - settledMs));
    if (now - this.prunedAt >= hourMs) {
      this.prunedAt = now;
      for (const prune of statements.pruneMinutes) await run(this.db, prune, [new Date(now - minutesKeptMs)]);
      for (const prune of statements.pruneHours) await run(this.db, prune, [new Date(now - hoursKeptMs)]);
    }
    return more;
  }
}

async function advanceIn(manager: EntityManager, settled: number): Promise<boolean> {
  const locked = await runIn<Pick<FigureProgressRow, 'grain'>>(manager, statements.lockProgress, []);
  if (locked.length === 0) return false;
  // Read after the lock: whoever held it before may have gone on in between.
  const rows = await runIn<FigureProgressRow>(manager, statements.progress, []);
  const [all, halfDay, hour, minute] = (['all-hour', 'half-day', 'hour', 'minute'] as const).map((grain) => untilOf(rows, grain));
  const end = floorTo(settled, 60);
  if (all === undefined || halfDay === undefined || hour === undefined || minute === undefined) return false;
  const rests = Math.min(hour, floorTo(minute - restsAfterMs, 3600));
  const isBehind = [await sumAll(manager, all, rests), await addToHalfDays(manager, halfDay, rests)].some(Boolean);
  if (minute >= end) return isBehind;
  const from = await skipEmpty(manager, minute, end);
  const to = Math.min(end, from + atOnceMs);
  if (to > from) await sumRange(manager, 'minute', [from, to]);
  await noteUntil(manager, 'minute', to);
  await countAgain(manager, [minute - countedAgainMs, Math.min(to - countedAgainMs, minute)], { hour });
  const wholeHours = floorTo(to, 3600);
  if (wholeHours > hour) {
    await sumRange(manager, 'hour', [hour, wholeHours]);
    await noteUntil(manager, 'hour', wholeHours);
  }
  return to < end || isBehind;
}

/** Sums hours of all pairs in which nothing changes any more, so that none is summed again. True: there are more. */
async function sumAll(manager: EntityManager, until: number, end: number): Promise<boolean> {
  if (until >= end) return false;
  const [first] = await runIn<{ at: Date | null }>(manager, statements.firstHourSince, [new Date(until)]);
  const to = Math.min(end, (first?.at?.getTime() ?? end) + allAtOnceMs);
  await sumRange(manager, 'all-hour', [until, to]);
  await noteUntil(manager, 'all-hour', to);
  return to < end;
}

/** Adds one hour in which nothing changes any more to its half-day. True: there are more. */
async function addToHalfDays(manager: EntityManager, until: number, end: number): Promise<boolean> {
  if (until >= end) return false;
  const [first] = await runIn<{ at: Date | null }>(manager, statements.firstHourSince, [new Date(until)]);
  const from = Math.min(end, first?.at?.getTime() ?? end);
  const to = Math.min(end, from + hourMs);
  if (to > from) for (const add of statements.addToHalfDays) await runIn(manager, add, [new Date(from), new Date(to)]);
  await noteUntil(manager, 'half-day', to);
  return to < end;
}

const untilOf = (rows: readonly FigureProgressRow[], grain: Grain): number | undefined =>
  rows.find((row) => row.grain === grain)?.until.getTime();

/** The minute of the first exchange that is not summed yet, or the end. */
async function skipEmpty(manager: EntityManager, from: number, end: number): Promise<number> {
  const [first] = await runIn<{ at: Date | null }>(manager, statements.firstSince, [new Date(from)]);
  return first?.at ? Math.min(end, floorTo(first.at.getTime(), 60)) : end;
}

/** Puts right the minutes of a range that were summed too early, and their hours. */
async function countAgain(manager: EntityManager, [from, to]: readonly [number, number], until: Pick<Until, 'hour'>): Promise<void> {
  if (to <= from) return;
  const late = await runIn<{ slot: Date }>(manager, statements.minutesThatDiffer, [new Date(from), new Date(to)]);
  for (const { slot } of late) await sumRange(manager, 'minute', [slot.getTime(), slot.getTime() + minuteMs]);
  const hours = new Set(late.map(({ slot }) => floorTo(slot.getTime(), 3600)).filter((hour) => hour < until.hour));
  for (const hour of hours) await sumRange(manager, 'hour', [hour, hour + hourMs]);
}

type SummedWhole = Exclude<Grain, 'half-day'>;

const summing: Readonly<Record<SummedWhole, readonly Statement[]>> = {
  minute: [statements.sumMinutes, statements.countMinutes],
  hour: [statements.sumHours, statements.countHours],
  'all-hour': [statements.sumAllHours, statements.countAllHours],
};

async function sumRange(manager: EntityManager, grain: SummedWhole, range: readonly [number, number]): Promise<void> {
  const values = range.map((at) => new Date(at));
  for (const statement of [statements.forgetSums(grain), statements.forgetDurations(grain), ...summing[grain]])
    await runIn(manager, statement, values);
}

const noteUntil = (manager: EntityManager, grain: Grain, until: number): Promise<unknown> =>
  runIn(manager, statements.noteProgress, [grain, new Date(until)]);
