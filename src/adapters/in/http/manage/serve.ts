import type { Request, RequestHandler, Router } from 'express';
import type { ChangeOrigin } from '../../../../domain/partners/partner-draft';
import { ManageProblem } from './problem';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Serves a path with the methods of the table, and tells of them when another one is asked for. */
export function serve(router: Router, path: string, table: Readonly<Partial<Record<Method, readonly RequestHandler[]>>>): void {
  const route = router.route(path);
  const methods = Object.entries(table) as [Method, readonly RequestHandler[]][];
  for (const [method, handlers] of methods) route[method](...handlers);
  const allow = methods.flatMap(([method]) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ');
  route.all((req, res) => {
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

/** Who asks: there is one operator, known by its token. */
export const originOf = (req: Request): ChangeOrigin => ({ actor: 'operator', requestId: String(req.res?.locals['requestId']) });
