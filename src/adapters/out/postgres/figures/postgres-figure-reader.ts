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

/** Reads statistics from the sums of a range, and from single exchanges where nothing is summed yet. */
export class PostgresFigureReader implements FigureReader {
  constructor(private readonly db: DataSource) {}

  async sums(query: FigureQuery, by: readonly Division[]): Promise<readonly Sum[]> {
    return (await this.readSums('figure_sums', query, by)).map(sumFrom);
  }

  async durations(query: FigureQuery, by: readonly Extract<Division, 'time' | 'pair'>[]): Promise<readonly DurationCount[]> {
    return (await this.readSums('figure_durations', query, by)).map((row) => ({ ...groupOf(row), step: row.step ?? 0, count: row.count }));
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

  /** Reads the progress before the statistics. If the sums advance meanwhile, the earlier progress is still valid. */
  private async summedUntil(): Promise<SummedUntil> {
    const rows = await run<FigureProgressRow>(this.db, progress, []);
    return Object.fromEntries(rows.map(({ grain, until }) => [grain, until.getTime()]));
  }
}

const ofAllFirst = (grain: Grain): readonly Grain[] => (grain === 'hour' ? ['all-hour', 'hour'] : [grain]);

/** Whether the query needs no distinction by pair. */
const isOfAll = ({ clientId, appId, pairs }: FigureQuery, by: readonly Division[]): boolean =>
  clientId === undefined && appId === undefined && pairs === undefined && !by.includes('pair');

const sumFrom = (row: SumRow): Sum => ({
  ...groupOf(row),
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
      ...{ clientId, appId, sum: { count, ms, hostAppMs, miniappMs, lastAt: row.last_at.getTime() } },
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

const groupOf = (row: SumRow): Pick<Sum, 'slot' | 'clientId' | 'appId'> => ({
  slot: row.slot?.getTime(),
  clientId: textOrNone(row.client_id),
  appId: textOrNone(row.app_id),
});

const textOrNone = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
