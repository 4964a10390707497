import { UnknownIntegration } from '../../../../../domain/partners/registry-errors';
import type { Clock } from '../../../../../domain/shared/ports';
import type { AdvanceTime } from '../../../../../domain/timeshift/advance-time';
import type { TimeShiftRepository, Upcoming } from '../../../../../domain/timeshift/ports';
import { AdvanceTimeDto } from './advance-time.dto';
import { readInput } from '../http/json-body';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { type Mount, originOf, serve } from '../http/serve';
import { timeCalls } from './sandbox-calls';

export interface SandboxRoutesDeps {
  readonly timeShift: TimeShiftRepository;
  readonly advanceTime: AdvanceTime;
  readonly clock: Clock;
}

/** Serves the calls that let time pass for one integration. Development only. */
export function sandboxRoutes(mount: Mount, deps: SandboxRoutesDeps): void {
  serve(mount, timeCalls, {
    upcoming: async (_req, res, { client_id: clientId = '', app_id: appId = '' }) => {
      const upcoming = clientId === '' || appId === '' ? undefined : await deps.timeShift.upcoming({ clientId, appId });
      if (!upcoming) throw new UnknownIntegration();
      res.json(clockView(upcoming, deps.clock.now()));
    },
    advance: async (req, res) => {
      const { client_id: clientId, app_id: appId, seconds } = await readInput(req, AdvanceTimeDto);
      const moved = await deps.advanceTime.execute({ ...originOf(req), clientId, appId, seconds });
      res.json({ advanced_s: seconds, ...moved });
    },
  });
}

/** `in_s`: seconds from now; negative when it is overdue. */
const clockView = ({ inFlight, next }: Upcoming, now: number): object =>
  present({
    now: timeText(now),
    in_flight: inFlight,
    next: next && { what: next.what, id: next.id, at: timeText(next.at), in_s: (next.at - now) / 1000 },
  });
