import type { Request } from 'express';
import { scopeOfViewer, type Viewer } from '../../../../../domain/accounts/viewer';
import { deliveryKinds } from '../../../../../domain/deliveries/delivery';
import { queueOf, type EndpointQueueRecord } from '../../../../../domain/deliveries/endpoint-queue';
import type { EndpointQueueRepository } from '../../../../../domain/deliveries/ports';
import type { PauseEndpointQueue, ResumeEndpointQueue } from '../../../../../domain/deliveries/pause-endpoint-queue';
import type { ReleaseEndpointQueue } from '../../../../../domain/deliveries/release-endpoint-queue';
import type { PageRequest } from '../../../../../domain/partners/ports';
import { viewerOf } from '../http/access';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { pageOf } from '../http/query';
import { reasonIn } from '../http/reason.dto';
import { type Mount, originOf, serve } from '../http/serve';
import { endpointQueueCalls } from './delivery-calls';

export interface EndpointQueueRoutesDeps {
  readonly queues: EndpointQueueRepository;
  readonly releaseEndpointQueue: ReleaseEndpointQueue;
  readonly pauseEndpointQueue: PauseEndpointQueue;
  readonly resumeEndpointQueue: ResumeEndpointQueue;
}

/** Serves the calls about endpoints that fail or have waiting deliveries. */
export function endpointQueueRoutes(mount: Mount, deps: EndpointQueueRoutesDeps): void {
  const { queues: repository, releaseEndpointQueue: release, pauseEndpointQueue: pause, resumeEndpointQueue: resume } = deps;
  serve(mount, endpointQueueCalls, {
    list: async (req, res, { page }) => {
      const queues = ownQueues(viewerOf(req));
      const list = ({ limit, after }: PageRequest) =>
        queues ? foundOf(repository, queues) : repository.list({ limit, after: after && queueAt(after) });
      res.json(await pageOf(page, list, { show: queueView, cursorOf: ({ queue }) => cursorOf(queue) }));
    },
    get: async (req, res) => {
      const queue = await repository.find(queueIn(req));
      if (!queue) throw new ManageProblem('not-found');
      res.json(queueView(queue));
    },
    release: async (req, res) => {
      res.json(queueView(await release.execute({ queue: queueIn(req), ...originOf(req) })));
    },
    pause: async (req, res) => {
      res.json(queueView(await pause.execute({ queue: realQueueIn(req), reason: await reasonIn(req), ...originOf(req) })));
    },
    resume: async (req, res) => {
      res.json(queueView(await resume.execute({ queue: queueIn(req), ...originOf(req) })));
    },
  });
}

/** Like `queueIn`, but requires a valid queue name: a pause is stored even where nothing waits. */
function realQueueIn(req: Request): string {
  const queue = queueIn(req);
  const isQueue = /^(hostapp|miniapp):[A-Za-z0-9_-]{1,64}:(\w+)$/.exec(queue);
  if (!isQueue || !deliveryKinds.some((kind) => kind === isQueue[2])) throw new ManageProblem('not-found');
  return queue;
}

/** A queue name from the path that the viewer may see. An impossible name is not looked up. */
function queueIn(req: Request): string {
  const queue: unknown = req.params['queue'];
  if (typeof queue !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(queue)) throw new ManageProblem('not-found');
  const own = ownQueues(viewerOf(req));
  if (own && !own.includes(queue)) throw new ManageProblem('not-found');
  return queue;
}

/** Queues of the viewer's own endpoints, or `undefined` for the operator, who sees all. */
function ownQueues(viewer: Viewer): readonly string[] | undefined {
  if (viewer.role === 'operator') return undefined;
  const pair = { clientId: '', appId: '', ...scopeOfViewer(viewer) };
  return deliveryKinds.map((kind) => queueOf({ ...pair, receiver: viewer.role === 'host-app' ? 'hostapp' : 'miniapp', kind }));
}

/** Those of the queues that have waiting deliveries or a failing endpoint. */
async function foundOf(repository: EndpointQueueRepository, queues: readonly string[]): Promise<readonly EndpointQueueRecord[]> {
  const found = await Promise.all([...queues].sort().map((queue) => repository.find(queue)));
  return found.filter((queue) => queue !== undefined);
}

/** A queue is `receiver:id:kind`; a cursor is `id/receiver-kind`. */
const cursorOf = (queue: string): string => {
  const [receiver = '', id = '', kind = ''] = queue.split(':');
  return `${id}/${receiver}-${kind}`;
};
const queueAt = (cursor: string): string => {
  const [id = '', rest = ''] = cursor.split('/');
  const [receiver = '', kind = ''] = rest.split('-');
  return `${receiver}:${id}:${kind}`;
};

const timeOr = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));

const queueView = ({ queue, state, failures, waiting, oldest, nextProbeAt, paused }: EndpointQueueRecord): object =>
  present({
    queue,
    state,
    failures,
    waiting,
    oldest: timeOr(oldest),
    next_probe_at: timeOr(nextProbeAt),
    paused: paused && { at: timeText(paused.at), by: paused.by, reason: paused.reason },
  });
