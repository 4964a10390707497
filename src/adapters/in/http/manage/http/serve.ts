import type { Request, RequestHandler, Router } from 'express';
import { actorOf } from '../../../../../domain/accounts/viewer';
import type { ChangeOrigin } from '../../../../../domain/partners/partner-draft';
import { type Declared, guardFor, readsQuery, viewerOf } from './access';
import { asWork } from '../limits/call-work';
import { ManageProblem } from './problem';
import { query } from './query';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Serves a path with the methods of the table, each for its declared audience, and answers other methods with the list of allowed ones. */
export function serve(router: Router, path: string, table: Readonly<Partial<Record<Method, Declared>>>): void {
  const route = router.route(path);
  const methods = Object.entries(table) as [Method, Declared][];
  for (const [method, { audience, handlers }] of methods) {
    const steps = handlers.includes(readsQuery) ? handlers : [refuseQuery, ...handlers];
    route[method](guardFor(audience), ...steps.map(asWork));
  }
  const allow = methods.flatMap(([method]) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ');
  route.all((req, res) => {
    viewerOf(req);
    if (req.method !== 'OPTIONS') throw new ManageProblem('method-not-allowed', { headers: { Allow: allow } });
    res.set('Allow', allow).status(204).end();
  });
}

const refuseQuery: RequestHandler = (req, _res, next) => {
  query(req, {});
  next();
};

/** Reads an id from the path. An impossible id throws not found without a lookup. */
export function pathId(req: Request, name: string): string {
  const id: unknown = req.params[name];
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw new ManageProblem('not-found');
  return id;
}

/** The caller and the request, for the audit trail. */
export const originOf = (req: Request): ChangeOrigin => ({
  actor: actorOf(viewerOf(req)),
  byOperator: viewerOf(req).role === 'operator',
  requestId: String(req.res?.locals['requestId']),
});
