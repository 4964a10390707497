import type { DrainInstance } from '../../../../../domain/operations/drain-instance';
import { instanceRules, type InstanceRecord } from '../../../../../domain/operations/instance';
import {
  backlogRules,
  type Backlog,
  type DatabaseDetails,
  type InstanceRepository,
  type OperationsReader,
} from '../../../../../domain/operations/ports';
import type { Clock } from '../../../../../domain/shared/ports';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { pageOf } from '../http/query';
import { reasonIfAny } from '../http/reason.dto';
import { type Mount, originOf, pathId, serve } from '../http/serve';
import { operationsCalls } from './operations-calls';

export interface OperationsRoutesDeps {
  readonly instances: InstanceRepository;
  readonly operations: OperationsReader;
  readonly drain: DrainInstance;
  /** Calls per minute that each limit allows. */
  readonly rateLimits: Readonly<Record<string, number>>;
  readonly version: string;
  readonly clock: Clock;
}

const dayMs = 86_400_000;

/** Serves the calls about the instances of the service, waiting work, and the state of the dependencies. */
export function operationsRoutes(mount: Mount, deps: OperationsRoutesDeps): void {
  const { instances, drain, operations, rateLimits, version, clock } = deps;
  serve(mount, operationsCalls, {
    listInstances: async (_req, res, { page }) => {
      const rows = await pageOf(page, (request) => instances.list(request), { show: instanceView, cursorOf: ({ id }) => id });
      res.json({ ...rows, announced_every_ms: instanceRules.everyMs, lost_after_ms: instanceRules.lostAfterMs });
    },
    getInstance: async (req, res) => {
      const instance = await instances.find(pathId(req, 'id'));
      if (!instance) throw new ManageProblem('not-found');
      res.json(instanceView(instance));
    },
    drain: async (req, res) => {
      res.status(202).json(instanceView(await drain.execute({ id: pathId(req, 'id'), ...(await reasonIfAny(req)), ...originOf(req) })));
    },
    backlog: async (_req, res, query) => {
      const range = rangeOf(query, clock.now());
      const [now, samples] = await Promise.all([operations.backlog(), operations.samples(range)]);
      res.json({
        now: { ...backlogView(now), at_least: now.waiting >= backlogRules.counted },
        data: samples.map(({ at, ...sample }) => ({ at: timeText(at), ...backlogView(sample) })),
      });
    },
    limits: async (_req, res) => {
      const uses = await operations.limits(rateLimits);
      res.json({ data: uses.map((use) => ({ ...use, allowed: rateLimits[use.limit] })), window_s: 60 });
    },
    database: async (_req, res) => {
      res.json({ version, database: databaseView(await operations.database()) });
    },
  });
}

/** The last day by default, and 31 days at most. */
function rangeOf({ from, to }: { from?: number; to?: number }, now: number): { readonly from: number; readonly to: number } {
  const end = to ?? now + 1;
  const begin = from ?? end - dayMs;
  if (begin < end && end - begin <= backlogRules.keptMs + dayMs) return { from: begin, to: end };
  throw new ManageProblem('invalid-content', { errors: [{ path: 'from', rule: 'must be before to, and at most 31 days' }] });
}

const backlogView = ({ waiting, oldestMs, lateMs }: Backlog): object => ({ waiting, oldest_ms: oldestMs, late_ms: lateMs });

const timeOr = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));

function instanceView({ id, version, role, state, figures, silentMs, ...times }: InstanceRecord): object {
  const { loopDelayMs, pool, calls, shed, memory, processor } = figures;
  return present({
    ...{ id, version, role, state, started_at: timeText(times.startedAt), seen_at: timeText(times.seenAt) },
    silent_ms: Math.max(0, Math.round(silentMs)),
    drain_requested_at: timeOr(times.drainRequestedAt),
    left_at: timeOr(times.leftAt),
    event_loop_delay_ms: loopDelayMs,
    pool: { max: pool.max, open: pool.open, in_use: pool.inUse, waiting: pool.waiting },
    ...{ calls, shed, memory_bytes: memory, processor },
  });
}

const databaseView = ({ version, size, connections, maxConnections, auditTrailProtected, migrations }: DatabaseDetails): object => ({
  ...{ version, size_bytes: size, connections, max_connections: maxConnections, audit_trail_protected: auditTrailProtected, migrations },
});
