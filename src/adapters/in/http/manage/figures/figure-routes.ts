import type { Request, Response } from 'express';
import type { LatencySlot } from '../../../../../domain/figures/added-up';
import type { TrafficSlot } from '../../../../../domain/figures/outcome';
import type { ComparePairs, PairFigures } from '../../../../../domain/figures/compare-pairs';
import type { CountExchanges, EndingCount } from '../../../../../domain/figures/count-exchanges';
import type { FigureQuery } from '../../../../../domain/figures/ports';
import {
  type RefreshCount,
  type RefreshedToken,
  refreshedTokens,
  type RefreshFigureReader,
  type RefreshOutcome,
  refreshOutcomes,
} from '../../../../../domain/figures/refreshes';
import { slotsOf, slotted } from '../../../../../domain/figures/slots';
import type { PageRequest } from '../../../../../domain/partners/ports';
import type { Clock } from '../../../../../domain/shared/ports';
import { narrowed } from '../http/access';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { pageOf, type Read } from '../http/query';
import { type Handler, type Mount, serve } from '../http/serve';
import { figureCalls, type figureQuery } from './figure-calls';
import { pairName } from '../../../../../domain/partners/integrations/pair-name';

export interface FigureRoutesDeps {
  readonly countExchanges: CountExchanges;
  readonly comparePairs: ComparePairs;
  readonly refreshes: RefreshFigureReader;
  readonly clock: Clock;
}

type FigureParameters = Read<typeof figureQuery>;

/** Serves statistics of exchanges. They include records up to a second ago. */
export function figureRoutes(mount: Mount, { countExchanges: count, comparePairs, refreshes, clock }: FigureRoutesDeps): void {
  const answer = (read: (wanted: FigureQuery) => Promise<object>) => async (req: Request, res: Response, query: FigureParameters) => {
    const wanted = wantedFigures(req, query, clock.now());
    res.json({ ...rangeView(wanted), ...(await read(wanted)) });
  };
  serve(mount, figureCalls, {
    traffic: answer(async (wanted) => ({ data: (await count.traffic(wanted)).map(trafficView) })),
    latency: answer(async (wanted) => {
      const { slots, whole } = await count.latency(wanted);
      return { data: slots.map((one) => ({ at: timeText(one.slot), ...latencyView(one) })), whole: latencyView(whole) };
    }),
    errors: answer(async (wanted) => {
      const { statuses, failures } = await count.errors(wanted);
      return { statuses: statuses.map(endingView), failures: failures.map(endingView) };
    }),
    refusals: answer(async (wanted) => ({
      data: (await count.refusals(wanted)).map(({ slot, ...causes }) => ({ at: timeText(slot), ...causes })),
    })),
    calls: answer(async (wanted) => ({ data: await count.calls(wanted) })),
    spread: answer(async (wanted) => ({
      data: (await count.spread(wanted)).map(({ slot, fromMs, toMs, count: many }) =>
        present({ at: timeText(slot), from_ms: fromMs, to_ms: Number.isFinite(toMs) ? toMs : undefined, count: many }),
      ),
    })),
    refreshes: answer(async (wanted) => ({ data: refreshViews(wanted, await refreshes.refreshes(wanted)) })),
    integrations: comparing(comparePairs, clock),
  });
}

/** Lists integrations with their statistics, a page at a time. */
const comparing =
  (compare: ComparePairs, clock: Clock): Handler<(typeof figureCalls)['integrations']> =>
  async (req, res, { filter, page }) => {
    const { order = 'traffic', ...rest } = filter;
    const wanted = wantedFigures(req, rest, clock.now());
    let about: object = {};
    const list = async (one: PageRequest): Promise<readonly PairFigures[]> => {
      const { pairs, total, seriesSlotS } = await compare.execute(wanted, order, one);
      about = { series_slot_s: seriesSlotS, total };
      return pairs;
    };
    const rows = await pageOf(page, list, { show: pairView, cursorOf: pairName });
    res.json({ ...rangeView(wanted), ...about, ...rows });
  };

/** The requested figures, over whole slots. Throws ManageProblem, InvalidInput. */
export function wantedFigures(req: Request, { client_id: clientId, app_id: appId, ...rest }: FigureParameters, now: number): FigureQuery {
  return slotted(narrowed(req, present({ ...rest, clientId, appId })), now);
}

const rangeView = ({ from, to, slotS }: FigureQuery): object => ({ from: timeText(from), to: timeText(to), slot_s: slotS });

/** Lists every slot, also those without a refresh. */
function refreshViews(wanted: FigureQuery, counts: readonly RefreshCount[]): readonly object[] {
  const countOf = (slot: number, token: RefreshedToken, outcome: RefreshOutcome): number =>
    counts.find((one) => one.slot === slot && one.token === token && one.outcome === outcome)?.count ?? 0;
  const ofToken = (slot: number, token: RefreshedToken): object =>
    Object.fromEntries(refreshOutcomes.map((outcome) => [outcome, countOf(slot, token, outcome)]));
  return slotsOf(wanted).map((slot) => ({
    at: timeText(slot),
    ...Object.fromEntries(refreshedTokens.map((token) => [token, ofToken(slot, token)])),
  }));
}

const trafficView = ({ slot, ok, partner_error, refused, platform_error }: TrafficSlot): object => ({
  at: timeText(slot),
  ok,
  partner_error,
  refused,
  platform_error,
});

const latencyView = ({ count, p50, p95, p99, mean, platform, hostApp, miniapp }: Omit<LatencySlot, 'slot'>): object =>
  present({ count, p50, p95, p99, mean, platform, host_app: hostApp, miniapp });

const endingView = ({ outcome, status, errorCode, failedSide, failedStep, count }: EndingCount): object =>
  present({ outcome, status, error_code: errorCode, failed_side: failedSide, failed_step: failedStep, count });

const pairView = ({ clientId, appId, counts, p95, hostApp, miniapp, lastAt, series }: PairFigures): object =>
  present({
    client_id: clientId,
    app_id: appId,
    ...counts,
    p95,
    host_app_ms: hostApp,
    miniapp_ms: miniapp,
    last_at: timeText(lastAt),
    series: series.map(trafficView),
  });
