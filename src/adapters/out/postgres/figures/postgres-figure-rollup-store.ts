import type { DataSource, EntityManager } from 'typeorm';
import type { FigureRollupStore } from '../../../../domain/figures/ports';
import { floorTo, hoursKeptMs, minutesKeptMs } from '../../../../domain/figures/slots';
import type { FigureProgressRow, Grain } from './figure.schema';
import * as statements from './figure-statements';
import { run, runIn, transaction, type Statement } from '../connection/statement';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The milliseconds before a minute is summed, because exchanges are written some time after they end. */
const settledMs = 45_000;
/** The time range that one transaction sums, in milliseconds. */
const atOnceMs = 10 * minuteMs;
/** The milliseconds after which a summed minute is counted again, for exchanges written even later. */
const countedAgainMs = 10 * minuteMs;
/** The milliseconds after the end of an hour from which nothing in it is counted again. */
const restsAfterMs = 2 * countedAgainMs;
/** The time range of hours over all pairs that one transaction sums, in milliseconds. */
const allAtOnceMs = 12 * hourMs;

type Until = Readonly<Record<Grain, number>>;

/**
 * Sums exchanges by minute and by hour, for each pair and over all pairs. A slot is summed as a whole and replaces its earlier sum, in the
 * transaction that records the progress, so each exchange counts once. Hours that no longer change are added to their half-days. Only one
 * instance sums at a time. Source: ADR 027.
 */
export class PostgresFigureRollupStore implements FigureRollupStore {
  /** When old rows were last removed, in milliseconds since the epoch. */
  private prunedAt = 0;

  constructor(private readonly db: DataSource) {}

  /** Sums the exchanges that have settled by `now` (milliseconds since the epoch), at most ten minutes of them. True: there are more. */
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
  // Reads the progress after taking the lock, because the previous holder may have advanced it.
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

/** Sums hours over all pairs that no longer change, so that none is summed again. True: there are more. */
async function sumAll(manager: EntityManager, until: number, end: number): Promise<boolean> {
  if (until >= end) return false;
  const [first] = await runIn<{ at: Date | null }>(manager, statements.firstHourSince, [new Date(until)]);
  const to = Math.min(end, (first?.at?.getTime() ?? end) + allAtOnceMs);
  await sumRange(manager, 'all-hour', [until, to]);
  await noteUntil(manager, 'all-hour', to);
  return to < end;
}

/** Adds one hour that no longer changes to its half-day. True: there are more. */
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

/** The minute of the first exchange that is not summed, or the end. */
async function skipEmpty(manager: EntityManager, from: number, end: number): Promise<number> {
  const [first] = await runIn<{ at: Date | null }>(manager, statements.firstSince, [new Date(from)]);
  return first?.at ? Math.min(end, floorTo(first.at.getTime(), 60)) : end;
}

/** Corrects the minutes of a range that were summed too early, and their hours. */
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
