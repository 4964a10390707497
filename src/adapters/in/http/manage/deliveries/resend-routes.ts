import type { Request } from 'express';
import type { ResendRepository } from '../../../../../domain/deliveries/ports';
import type { CancelResend, StartResend } from '../../../../../domain/deliveries/resend-deliveries';
import { InvalidInput } from '../../../../../domain/shared/errors';
import { readInput } from '../http/json-body';
import { ManageProblem } from '../http/problem';
import { pageOf } from '../http/query';
import { progressView, ResendDto, resendFilter, resendView } from './resend.dto';
import { resendCalls } from './delivery-calls';
import { type Mount, originOf, pathId, serve } from '../http/serve';

export interface ResendRoutesDeps {
  readonly resends: ResendRepository;
  readonly startResend: StartResend;
  readonly cancelResend: CancelResend;
}

/** Serves the calls that resend many deliveries, so many per second. */
export function resendRoutes(mount: Mount, deps: ResendRoutesDeps): void {
  const { resends: repository, startResend: start, cancelResend: cancel } = deps;
  serve(mount, resendCalls, {
    start: async (req, res) => {
      const input = await readResend(req);
      const filter = resendFilter(input);
      if (input.preview === true) res.json(await repository.preview(filter));
      else res.status(202).json(resendView(await start.execute({ filter, perSecond: input.per_second, ...originOf(req) })));
    },
    list: async (_req, res, { page }) => {
      res.json(await pageOf(page, (request) => repository.list(request), { show: resendView, cursorOf: ({ id }) => id }));
    },
    get: async (req, res) => {
      const resend = await repository.find(pathId(req, 'id'));
      if (!resend) throw new ManageProblem('not-found');
      res.json(progressView(resend));
    },
    cancel: async (req, res) => {
      res.json(progressView(await cancel.execute({ id: pathId(req, 'id'), ...originOf(req) })));
    },
  });
}

/** Requires a filter: a body without any of the three would resend everything that was ever delivered. */
async function readResend(req: Request): Promise<ResendDto> {
  const input = await readInput(req, ResendDto);
  const chosen = [input.state, input.failed_since, input.missing_since].filter((one) => one !== undefined);
  if (chosen.length !== 1) throw new InvalidInput([{ path: '', rule: 'must hold one of state, failed_since and missing_since' }]);
  return input;
}
