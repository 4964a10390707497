import type { Request, Router } from 'express';
import type { LaneRecord } from '../../../../domain/deliveries/lane';
import type { LaneBook, SharedBell } from '../../../../domain/deliveries/ports';
import { ReleaseLane } from '../../../../domain/deliveries/release-lane';
import type { PageRequest } from '../../../../domain/partners/ports';
import type { Clock } from '../../../../domain/shared/ports';
import { timeText } from './partner-wire';
import { present } from './present';
import { ManageProblem } from './problem';
import { listQuery, pageOf } from './query';
import { originOf, serve } from './serve';

export interface LaneRoutesDeps {
  readonly book: LaneBook;
  readonly bell: SharedBell;
  readonly clock: Clock;
}

/** `/delivery-lanes`: endpoints that are in trouble or for which something waits. */
export function laneRoutes(router: Router, deps: LaneRoutesDeps): void {
  const { book } = deps;
  const release = new ReleaseLane(deps);
  serve(router, '/delivery-lanes', {
    get: [
      async (req, res) => {
        const { page } = listQuery(req, {});
        const list = ({ limit, after }: PageRequest) => book.list({ limit, after: after && laneAt(after) });
        res.json(await pageOf(page, list, { show: laneView, cursorOf: ({ lane }) => cursorOf(lane) }));
      },
    ],
  });
  serve(router, '/delivery-lanes/:lane', {
    get: [
      async (req, res) => {
        const lane = await book.find(laneIn(req));
        if (!lane) throw new ManageProblem('not-found');
        res.json(laneView(lane));
      },
    ],
  });
  serve(router, '/delivery-lanes/:lane/release', {
    post: [
      async (req, res) => {
        res.json(laneView(await release.execute({ lane: laneIn(req), ...originOf(req) })));
      },
    ],
  });
}

/** The name of a lane. What cannot be one is looked up nowhere. */
function laneIn(req: Request): string {
  const lane: unknown = req.params['lane'];
  if (typeof lane !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(lane)) throw new ManageProblem('not-found');
  return lane;
}

/** A lane is `receiver:id:kind`; a cursor is `id/receiver-kind`. */
const cursorOf = (lane: string): string => {
  const [receiver = '', id = '', kind = ''] = lane.split(':');
  return `${id}/${receiver}-${kind}`;
};
const laneAt = (cursor: string): string => {
  const [id = '', rest = ''] = cursor.split('/');
  const [receiver = '', kind = ''] = rest.split('-');
  return `${receiver}:${id}:${kind}`;
};

const timeOr = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));

const laneView = ({ lane, state, failures, waiting, oldest, nextLookAt }: LaneRecord): object =>
  present({ lane, state, failures, waiting, oldest: timeOr(oldest), next_look_at: timeOr(nextLookAt) });
