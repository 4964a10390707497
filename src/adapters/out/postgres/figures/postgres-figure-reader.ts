import type { DataSource } from 'typeorm';
import type {
  Division,
  DurationCount,
  FigureQuery,
  FigureReader,
  PairOrder,
  RankedPair,
  RankedPairs,
  Sum,
} from '../../../../domain/figures/ports';
import type { PageRequest } from '../../../../domain/partners/ports';
import type { Side, Step } from '../../../../domain/shared/errors';
import type { FigureProgressRow, Grain } from './figure.schema';
import { grainsOf, partsOf, type SummedUntil } from './figure-parts';
import { figureQuestion } from './figure-questions';
import { progress } from './figure-statements';
import { rankingQuestion, type RankedRow } from './ranking-question';
import { run } from '../connection/statement';

interface SumRow {
  slot?: Date;
  client_id?: string;
  app_id?: string;
  call?: string;
  status?: number;
  error_code?: string;
  failed_side?: string;
  failed_step?: string;
  step?: number;
  count: number;
  ms: number;
  hostapp_ms: number;
  miniapp_ms: number;
  first_at: Date;
  last_at: Date;
}

/** Milliseconds: how long the progress of the sums is used again. */
const progressKeptMs = 1000;

/** Reads statistics from the sums of a range, and from single exchanges where nothing is summed yet. */
export class PostgresFigureReader implements FigureReader {
  private progress: { readonly at: number; readonly until: Promise<SummedUntil> } | undefined;

  /** `now`: a monotonic clock in milliseconds. Defaults to the process clock. */
  constructor(
    private readonly db: DataSource,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async sums(query: FigureQuery, by: readonly Division[]): Promise<readonly Sum[]> {
    return (await this.readSums('figure_sums', query, by)).map(sumFrom);
  }

  async durations(query: FigureQuery, by: readonly Extract<Division, 'time' | 'pair'>[]): Promise<readonly DurationCount[]> {
    return (await this.readSums('figure_durations', query, by)).map(durationFrom);
  }

  async ranking(query: FigureQuery, order: PairOrder, page: PageRequest): Promise<RankedPairs> {
    const until = await this.summedUntil();
    const partsBy = (isByTime: boolean) => partsOf([query.from, query.to], grainsOf(query, isByTime), until);
    const parts = { ranks: partsBy(false), slots: partsBy(true) };
    if (parts.ranks.length === 0) return { pairs: [], total: 0 };
    const { statement, values } = rankingQuestion(query, order, { page, parts });
    const rows = await run<RankedRow>(this.db, statement, values);
    return { pairs: rows.flatMap(pairFrom), total: rows[0]?.total ?? 0 };
  }

  private async readSums(table: 'figure_sums' | 'figure_durations', query: FigureQuery, by: readonly Division[]): Promise<SumRow[]> {
    const grains = grainsOf(query, by.includes('time'));
    // Over all pairs there are only a few rows per hour, so half-days are not needed.
    const used = isOfAll(query, by) ? grains.filter((grain) => grain !== 'half-day').flatMap(ofAllFirst) : grains;
    const parts = partsOf([query.from, query.to], used, await this.summedUntil());
    if (parts.length === 0) return [];
    const { statement, values } = figureQuestion(table, query, { by, parts });
    return run<SumRow>(this.db, statement, values);
  }

  /** Earlier progress is still valid when the sums have advanced: exchanges after it are read one by one. So one call reads it once. */
  private summedUntil(): Promise<SummedUntil> {
    const at = this.now();
    if (this.progress === undefined || at - this.progress.at > progressKeptMs) {
      const until = this.readProgress();
      this.progress = { at, until };
      // A failed read is not kept.
      until.catch(() => (this.progress = undefined));
    }
    return this.progress.until;
  }

  private async readProgress(): Promise<SummedUntil> {
    const rows = await run<FigureProgressRow>(this.db, progress, []);
    return Object.fromEntries(rows.map(({ grain, until }) => [grain, until.getTime()]));
  }
}

const ofAllFirst = (grain: Grain): readonly Grain[] => (grain === 'hour' ? ['all-hour', 'hour'] : [grain]);

/** Whether the query needs no distinction by pair. */
const isOfAll = ({ clientId, appId, pairs }: FigureQuery, by: readonly Division[]): boolean =>
  clientId === undefined && appId === undefined && pairs === undefined && !by.includes('pair');

/** Named member by member: a spread before further members makes an object of a hundred times the price. */
const sumFrom = (row: SumRow): Sum => ({
  slot: row.slot?.getTime(),
  clientId: textOrNone(row.client_id),
  appId: textOrNone(row.app_id),
  call: row.call,
  status: row.status,
  errorCode: textOrNone(row.error_code),
  // Only values of these types are written, so the cast is safe.
  failedSide: textOrNone(row.failed_side) as Side | undefined,
  failedStep: textOrNone(row.failed_step) as Step | undefined,
  count: row.count,
  ms: row.ms,
  hostAppMs: row.hostapp_ms,
  miniappMs: row.miniapp_ms,
  firstAt: row.first_at.getTime(),
  lastAt: row.last_at.getTime(),
});

function pairFrom({ client_id: clientId, app_id: appId, slots, steps, ...row }: RankedRow): RankedPair[] {
  if (clientId === null || appId === null) return [];
  const { count, ms, hostapp_ms: hostAppMs, miniapp_ms: miniappMs } = row;
  return [
    {
      clientId,
      appId,
      sum: { count, ms, hostAppMs, miniappMs, lastAt: row.last_at.getTime() },
      slots: (slots ?? []).map(([slot, ok, partner_error, refused, platform_error]) => ({
        slot,
        ok,
        partner_error,
        refused,
        platform_error,
      })),
      durations: (steps ?? []).map(([step, number]) => ({ step, count: number })),
    },
  ];
}

const durationFrom = (row: SumRow): DurationCount => ({
  slot: row.slot?.getTime(),
  clientId: textOrNone(row.client_id),
  appId: textOrNone(row.app_id),
  step: row.step ?? 0,
  count: row.count,
});

const textOrNone = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
