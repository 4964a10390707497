import type { Request, RequestHandler, Router } from 'express';
import { scopeOfViewer, type Viewer } from '../../../../domain/accounts/viewer';
import { deliveryKinds } from '../../../../domain/deliveries/delivery';
import { laneOf, type LaneRecord } from '../../../../domain/deliveries/lane';
import type { LaneBook, SharedBell } from '../../../../domain/deliveries/ports';
import { PauseLane, ResumeLane } from '../../../../domain/deliveries/pause-lane';
import { ReleaseLane } from '../../../../domain/deliveries/release-lane';
import type { PageRequest } from '../../../../domain/partners/ports';
import type { Clock } from '../../../../domain/shared/ports';
import { partnersToo, viewerOf } from './access';
import { timeText } from './partner-wire';
import { present } from './present';
import { ManageProblem } from './problem';
import { listQuery, pageOf } from './query';
import { reasonIn } from './reason.dto';
import { originOf, serve } from './serve';

export interface LaneRoutesDeps {
  readonly book: LaneBook;
  readonly bell: SharedBell;
  readonly clock: Clock;
}

/** `/delivery-lanes`: endpoints that are in trouble or for which something waits. */
export function laneRoutes(router: Router, readBody: RequestHandler, deps: LaneRoutesDeps): void {
  const { book } = deps;
  const [release, pause, resume] = [new ReleaseLane(deps), new PauseLane(deps), new ResumeLane(deps)];
  serve(router, '/delivery-lanes', {
    get: partnersToo(async (req, res) => {
      const { page } = listQuery(req, {});
      const lanes = ownLanes(viewerOf(req));
      const list = ({ limit, after }: PageRequest) => (lanes ? foundOf(book, lanes) : book.list({ limit, after: after && laneAt(after) }));
      res.json(await pageOf(page, list, { show: laneView, cursorOf: ({ lane }) => cursorOf(lane) }));
    }),
  });
  serve(router, '/delivery-lanes/:lane', {
    get: partnersToo(async (req, res) => {
      const lane = await book.find(laneIn(req));
      if (!lane) throw new ManageProblem('not-found');
      res.json(laneView(lane));
    }),
  });
  serve(router, '/delivery-lanes/:lane/release', {
    post: partnersToo(async (req, res) => {
      res.json(laneView(await release.execute({ lane: laneIn(req), ...originOf(req) })));
    }),
  });
  serve(router, '/delivery-lanes/:lane/pause', {
    post: partnersToo(readBody, async (req, res) => {
      res.json(laneView(await pause.execute({ lane: realLaneIn(req), reason: reasonIn(req), ...originOf(req) })));
    }),
  });
  serve(router, '/delivery-lanes/:lane/resume', {
    post: partnersToo(async (req, res) => {
      res.json(laneView(await resume.execute({ lane: laneIn(req), ...originOf(req) })));
    }),
  });
}

/** As `laneIn`, of what can be a lane at all: a pause is kept, whether something waits there or not. */
function realLaneIn(req: Request): string {
  const lane = laneIn(req);
  const isLane = /^(hostapp|miniapp):[A-Za-z0-9_-]{1,64}:(\w+)$/.exec(lane);
  if (!isLane || !deliveryKinds.some((kind) => kind === isLane[2])) throw new ManageProblem('not-found');
  return lane;
}

/** The name of a lane that the viewer may see. What cannot be one is looked up nowhere. */
function laneIn(req: Request): string {
  const lane: unknown = req.params['lane'];
  if (typeof lane !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(lane)) throw new ManageProblem('not-found');
  const own = ownLanes(viewerOf(req));
  if (own && !own.includes(lane)) throw new ManageProblem('not-found');
  return lane;
}

/** The lanes to the viewer's own endpoints; of the operator none in particular: all are. */
function ownLanes(viewer: Viewer): readonly string[] | undefined {
  if (viewer.role === 'operator') return undefined;
  const pair = { clientId: '', appId: '', ...scopeOfViewer(viewer) };
  return deliveryKinds.map((kind) => laneOf({ ...pair, receiver: viewer.role === 'host-app' ? 'hostapp' : 'miniapp', kind }));
}

/** Those few of the lanes in which something waits or whose endpoint is in trouble. */
async function foundOf(book: LaneBook, lanes: readonly string[]): Promise<readonly LaneRecord[]> {
  const found = await Promise.all([...lanes].sort().map((lane) => book.find(lane)));
  return found.filter((lane) => lane !== undefined);
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

const laneView = ({ lane, state, failures, waiting, oldest, nextLookAt, paused }: LaneRecord): object =>
  present({
    ...{ lane, state, failures, waiting, oldest: timeOr(oldest), next_look_at: timeOr(nextLookAt) },
    paused: paused && { at: timeText(paused.at), by: paused.by, reason: paused.reason },
  });
