import type { LongRuns } from '../../../../../domain/operations/long-runs';
import type { RunRepository } from '../../../../../domain/operations/ports';
import type { KeyRing, RewrapKeys, RewrapProgress, RewrapRequest, RewrapRun } from '../../../../../domain/operations/rewrap-keys';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { pageOf } from '../http/query';
import { reasonIfAny } from '../http/reason.dto';
import { type Mount, originOf, pathId, serve } from '../http/serve';
import { keyRingCalls } from './operations-calls';

export interface KeyRingRoutesDeps {
  readonly notify: KeyRing;
  readonly rewrap: RewrapKeys;
  readonly rewrapRuns: LongRuns<RewrapRequest, RewrapProgress>;
  readonly rewrapRepository: RunRepository<RewrapRequest, RewrapProgress>;
}

/** Serves the calls about the key ring, and about re-sealing all stored values with its first key. */
export function keyRingRoutes(mount: Mount, { notify, rewrap, rewrapRuns, rewrapRepository }: KeyRingRoutesDeps): void {
  serve(mount, keyRingCalls, {
    listKeys: async (_req, res) => {
      const seals = await notify.census();
      const sealing = new Map(seals.map((key) => [key.id, key]));
      const ids = [...new Set([...notify.ids, ...sealing.keys()])];
      const data = ids.map((id) => ({
        ...{ id, first: id === notify.ids[0], known: notify.ids.includes(id) },
        ...{ values: sealing.get(id)?.values ?? 0, by_column: sealing.get(id)?.byColumn ?? {} },
      }));
      res.json({ data });
    },
    list: async (_req, res, { page }) => {
      res.json(await pageOf(page, (request) => rewrapRepository.list(request), { show: rewrapView, cursorOf: ({ id }) => id }));
    },
    start: async (req, res) => {
      res.status(202).json(rewrapView(await rewrap.execute({ ...(await reasonIfAny(req)), ...originOf(req) })));
    },
    get: async (req, res) => {
      const run = await rewrapRepository.find(pathId(req, 'id'));
      if (!run) throw new ManageProblem('not-found');
      res.json(rewrapView(run));
    },
    cancel: async (req, res) => {
      res.json(rewrapView(await rewrapRuns.cancel({ id: pathId(req, 'id'), ...originOf(req) })));
    },
  });
}

const rewrapView = ({ id, state, startedAt, endedAt, cancelRequested, request, progress }: RewrapRun): object =>
  present({
    ...{ id, state, key: request.key, cancel_requested: cancelRequested },
    started_at: timeText(startedAt),
    ended_at: endedAt === undefined ? undefined : timeText(endedAt),
    columns_of: progress.of,
    seen: progress.seen,
    columns: progress.columns,
    others: progress.others,
  });
