import type { RequestHandler, Router } from 'express';
import { type Declared, guardForAudience, readsQuery, viewerOf } from './access';
import { asWork } from '../limits/call-work';
import { ManageProblem } from './problem';
import { query } from './old-query';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Serves a path with the methods of the table, each for its declared audience, and answers other methods with the list of allowed ones. */
export function servePath(router: Router, path: string, table: Readonly<Partial<Record<Method, Declared>>>): void {
  const route = router.route(path);
  const methods = Object.entries(table) as [Method, Declared][];
  for (const [method, { audience, handlers }] of methods) {
    const steps = handlers.includes(readsQuery) ? handlers : [refuseQuery, ...handlers];
    route[method](guardForAudience(audience), ...steps.map(asWork));
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
