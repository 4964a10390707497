import type { RequestHandler, Router } from 'express';
import type { SharedBell } from '../../../../domain/deliveries/ports';
import { UnknownAgreement } from '../../../../domain/partners/registry-errors';
import { InvalidInput } from '../../../../domain/shared/errors';
import type { Clock } from '../../../../domain/shared/ports';
import { AdvanceTime } from '../../../../domain/timeshift/advance-time';
import type { TimeShift, Upcoming } from '../../../../domain/timeshift/ports';
import { operatorOnly } from './access';
import { AdvanceTimeDto } from './advance-time.dto';
import { bodyOf } from './json-body';
import { mergePatch, plainOf, type PlainObject } from './merge-patch';
import { timeText } from './partner-wire';
import { present } from './present';
import { listQuery, word } from './query';
import { readWholeDto } from '../../../dto/read-dto';
import { originOf, serve } from './serve';

export interface SandboxRoutesDeps {
  readonly timeShift: TimeShift;
  readonly bell: SharedBell;
  readonly clock: Clock;
}

/** `/sandbox`: lets time pass for one integration. In development alone. */
export function sandboxRoutes(router: Router, readBody: RequestHandler, deps: SandboxRoutesDeps): void {
  const advanceTime = new AdvanceTime(deps);
  serve(router, '/sandbox/clock', {
    get: operatorOnly(async (req, res) => {
      const { filter } = listQuery(req, { client_id: word, app_id: word });
      const { client_id: clientId = '', app_id: appId = '' } = filter;
      const upcoming = clientId === '' || appId === '' ? undefined : await deps.timeShift.upcoming({ clientId, appId });
      if (!upcoming) throw new UnknownAgreement();
      res.json(clockView(upcoming, deps.clock.now()));
    }),
  });
  serve(router, '/sandbox/advance', {
    post: operatorOnly(readBody, async (req, res) => {
      const { plain, problems: found } = plainOf(bodyOf(req));
      const { dto, problems } = readWholeDto(AdvanceTimeDto, mergePatch({}, plain) as PlainObject);
      if (found.length + problems.length > 0) throw new InvalidInput([...found, ...problems]);
      const { client_id: clientId, app_id: appId, seconds } = dto;
      const moved = await advanceTime.execute({ ...originOf(req), clientId, appId, seconds });
      res.json({ advanced_s: seconds, ...moved });
    }),
  });
}

/** `in_s`: from now; below 0 it is overdue. */
const clockView = ({ underWay, next }: Upcoming, now: number): object =>
  present({
    now: timeText(now),
    under_way: underWay,
    next: next && { what: next.what, id: next.id, at: timeText(next.at), in_s: (next.at - now) / 1000 },
  });
