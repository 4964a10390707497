import type { Request, RequestHandler, Router } from 'express';
import type { ResendBook, SharedBell } from '../../../../domain/deliveries/ports';
import { CancelResend, StartResend } from '../../../../domain/deliveries/resend-deliveries';
import type { FieldProblem } from '../../../../domain/shared/errors';
import type { Clock, IdSource } from '../../../../domain/shared/ports';
import { operatorOnly } from './access';
import { bodyOf } from './json-body';
import { mergePatch, plainOf, type PlainObject } from './merge-patch';
import { ManageProblem } from './problem';
import { listQuery, pageOf } from './query';
import { readWholeDto } from '../../../dto/read-dto';
import { progressView, ResendDto, resendFilter, resendView } from './resend.dto';
import { originOf, pathId, serve } from './serve';

export interface ResendRoutesDeps {
  readonly book: ResendBook;
  readonly bell: SharedBell;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** `/deliveries/resend` and `/resends`: many deliveries again, so many a second. */
export function resendRoutes(router: Router, readBody: RequestHandler, deps: ResendRoutesDeps): void {
  const { book } = deps;
  const start = new StartResend(deps);
  const cancel = new CancelResend(deps);
  serve(router, '/deliveries/resend', {
    post: operatorOnly(readBody, async (req, res) => {
      const facts = readResend(req);
      const filter = resendFilter(facts);
      if (facts.preview === true) res.json(await book.preview(filter));
      else res.status(202).json(resendView(await start.execute({ filter, perSecond: facts.per_second, ...originOf(req) })));
    }),
  });
  serve(router, '/resends', {
    get: operatorOnly(async (req, res) => {
      const { page } = listQuery(req, {});
      res.json(await pageOf(page, (asked) => book.list(asked), { show: resendView, cursorOf: ({ id }) => id }));
    }),
  });
  serve(router, '/resends/:id', {
    get: operatorOnly(async (req, res) => {
      const resend = await book.find(pathId(req, 'id'));
      if (!resend) throw new ManageProblem('not-found');
      res.json(progressView(resend));
    }),
  });
  serve(router, '/resends/:id/cancel', {
    post: operatorOnly(async (req, res) => {
      res.json(progressView(await cancel.execute({ id: pathId(req, 'id'), ...originOf(req) })));
    }),
  });
}

/** A body without any of the three would mean everything that was ever delivered. */
function readResend(req: Request): ResendDto {
  const { plain, problems: poisonous } = plainOf(bodyOf(req));
  const { dto, problems } = readWholeDto(ResendDto, mergePatch({}, plain) as PlainObject);
  const chosen = [plain['state'], plain['failed_since'], plain['missing_since']].filter((one) => one !== undefined && one !== null);
  const few: FieldProblem[] = chosen.length === 1 ? [] : [{ path: '', rule: 'must hold one of state, failed_since and missing_since' }];
  const errors = [...poisonous, ...problems, ...few];
  if (errors.length > 0) throw new ManageProblem('invalid-content', { errors });
  return dto;
}
