import type { Request, Router } from 'express';
import { actorOf } from '../../../../domain/accounts/viewer';
import type { ChangeOrigin } from '../../../../domain/partners/partner-draft';
import { type Declared, guardFor, viewerOf } from './access';
import { asWork } from './limits/call-work';
import { ManageProblem } from './problem';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Serves a path with the methods of the table to those who are declared for each, and tells of them when another one is asked for. */
export function serve(router: Router, path: string, table: Readonly<Partial<Record<Method, Declared>>>): void {
  const route = router.route(path);
  const methods = Object.entries(table) as [Method, Declared][];
  for (const [method, { audience, handlers }] of methods) route[method](guardFor(audience), ...handlers.map(asWork));
  const allow = methods.flatMap(([method]) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ');
  route.all((req, res) => {
    viewerOf(req);
    if (req.method !== 'OPTIONS') throw new ManageProblem('method-not-allowed', { headers: { Allow: allow } });
    res.set('Allow', allow).status(204).end();
  });
}

/** An id in the path. What cannot be an id is looked up nowhere: there is nothing there. */
export function pathId(req: Request, name: string): string {
  const id: unknown = req.params[name];
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw new ManageProblem('not-found');
  return id;
}

/** Who asks, for the audit trail, and in which request. */
export const originOf = (req: Request): ChangeOrigin => ({
  actor: actorOf(viewerOf(req)),
  byOperator: viewerOf(req).role === 'operator',
  requestId: String(req.res?.locals['requestId']),
});
