import type { FindProblems, Problem } from '../../../../../domain/problems/find-problems';
import type { MuteProblem } from '../../../../../domain/problems/mute-problem';
import type { EndingCredential, EndingCredentialReader, ProblemKey } from '../../../../../domain/problems/ports';
import type { Clock } from '../../../../../domain/shared/ports';
import { scopeOf } from '../http/access';
import { readInput } from '../http/json-body';
import { wantedFigures } from '../figures/figure-routes';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { type Mount, originOf, serve } from '../http/serve';
import { problemCalls, usualDaysAhead } from './problem-calls';
import { MuteProblemDto, ProblemKeyDto } from './problem.dto';

export interface ProblemRoutesDeps {
  readonly findProblems: FindProblems;
  readonly muteProblem: MuteProblem;
  readonly endingCredentials: EndingCredentialReader;
  readonly clock: Clock;
}

const dayMs = 86_400_000;

/** Serves the calls about problems, and about credentials that expire soon. */
export function problemRoutes(mount: Mount, deps: ProblemRoutesDeps): void {
  const { findProblems: find, muteProblem: muting, endingCredentials, clock } = deps;
  serve(mount, problemCalls, {
    list: async (req, res, query) => {
      const wanted = wantedFigures(req, query, clock.now());
      const problems = await find.execute(wanted, clock.now());
      res.json({ from: timeText(wanted.from), to: timeText(wanted.to), data: problems.map(problemView) });
    },
    mute: async (req, res) => {
      const { reason, ...key } = await readInput(req, MuteProblemDto);
      await muting.mute({ ...originOf(req), key: keyFrom(key), reason });
      res.status(204).end();
    },
    unmute: async (req, res) => {
      await muting.unmute({ ...originOf(req), key: keyFrom(await readInput(req, ProblemKeyDto)) });
      res.status(204).end();
    },
    listEnding: async (req, res, { days = usualDaysAhead }) => {
      const now = clock.now();
      const ending = await endingCredentials.list({ now, until: now + days * dayMs, ...scopeOf(req) });
      res.json({ data: ending.map(endingView) });
    },
  });
}

const keyFrom = ({ error_code, failed_side, failed_step, client_id, app_id }: ProblemKeyDto): ProblemKey => ({
  errorCode: error_code,
  failedSide: failed_side,
  failedStep: failed_step,
  clientId: client_id,
  appId: app_id,
});

const problemView = ({ state, count, firstAt, lastAt, calls, verdict, exchangeId, mute, ...key }: Problem): object =>
  present({
    error_code: key.errorCode,
    failed_side: key.failedSide,
    failed_step: key.failedStep,
    client_id: key.clientId,
    app_id: key.appId,
    state,
    count,
    first_at: timeText(firstAt),
    last_at: timeText(lastAt),
    calls,
    acts: verdict?.side,
    sentence: verdict?.sentence,
    next: verdict?.next,
    exchange_id: exchangeId,
    muted: mute && { by: mute.actor, reason: mute.reason, at: timeText(mute.at) },
  });

const endingView = ({ partnerKind, partnerId, kind, slot, fingerprint, validUntil, lastUsedAt }: EndingCredential): object =>
  present({
    partner_kind: partnerKind,
    partner_id: partnerId,
    credential: kind,
    which: slot,
    fingerprint,
    valid_until: timeText(validUntil),
    last_used_at: timeText(lastUsedAt),
  });
