import type { RequestHandler, Router } from 'express';
import type { LongRuns } from '../../../../domain/operations/long-runs';
import type { RunBook } from '../../../../domain/operations/ports';
import type { KeyRing, RewrapKeys, RewrapProgress, RewrapRequest, RewrapRun } from '../../../../domain/operations/rewrap-keys';
import { operatorOnly } from './access';
import { timeText } from './partner-wire';
import { present } from './present';
import { ManageProblem } from './problem';
import { listQuery, pageOf } from './query';
import { reasonIfAny } from './reason.dto';
import { originOf, pathId, serve } from './serve';

export interface KeyRingRoutesDeps {
  readonly ring: KeyRing;
  readonly rewrap: RewrapKeys;
  readonly rewrapRuns: LongRuns<RewrapRequest, RewrapProgress>;
  readonly rewrapBook: RunBook<RewrapRequest, RewrapProgress>;
}

/** `/encryption-keys`: the keys that seal stored values, and sealing everything under the first of them. */
export function keyRingRoutes(router: Router, readBody: RequestHandler, { ring, rewrap, rewrapRuns, rewrapBook }: KeyRingRoutesDeps): void {
  serve(router, '/encryption-keys', {
    get: operatorOnly(async (req, res) => {
      listQuery(req, {});
      const seals = await ring.census();
      const sealing = new Map(seals.map((key) => [key.id, key]));
      const ids = [...new Set([...ring.ids, ...sealing.keys()])];
      const data = ids.map((id) => ({
        ...{ id, first: id === ring.ids[0], known: ring.ids.includes(id) },
        ...{ values: sealing.get(id)?.values ?? 0, places: sealing.get(id)?.places ?? {} },
      }));
      res.json({ data });
    }),
  });
  serve(router, '/encryption-keys/rewraps', {
    get: operatorOnly(async (req, res) => {
      const { page } = listQuery(req, {});
      res.json(await pageOf(page, (asked) => rewrapBook.list(asked), { show: rewrapView, cursorOf: ({ id }) => id }));
    }),
    post: operatorOnly(readBody, async (req, res) => {
      res.status(202).json(rewrapView(await rewrap.execute({ ...reasonIfAny(req), ...originOf(req) })));
    }),
  });
  serve(router, '/encryption-keys/rewraps/:id', {
    get: operatorOnly(async (req, res) => {
      const run = await rewrapBook.find(pathId(req, 'id'));
      if (!run) throw new ManageProblem('not-found');
      res.json(rewrapView(run));
    }),
  });
  serve(router, '/encryption-keys/rewraps/:id/cancel', {
    post: operatorOnly(async (req, res) => {
      res.json(rewrapView(await rewrapRuns.cancel({ id: pathId(req, 'id'), ...originOf(req) })));
    }),
  });
}

const rewrapView = ({ id, state, startedAt, endedAt, cancelAsked, request, progress }: RewrapRun): object =>
  present({
    ...{ id, state, key: request.key, cancel_asked: cancelAsked },
    started_at: timeText(startedAt),
    ended_at: endedAt === undefined ? undefined : timeText(endedAt),
    columns_of: progress.of,
    seen: progress.seen,
    columns: progress.columns,
    others: progress.others,
  });
