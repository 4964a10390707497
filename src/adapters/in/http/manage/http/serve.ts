import type { Request, RequestHandler, Response, Router } from 'express';
import { actorOf } from '../../../../../domain/accounts/viewer';
import type { ChangeOrigin } from '../../../../../domain/partners/partner-draft';
import { asWork } from '../limits/call-work';
import { guardFor, viewerOf } from './access';
import type { Call, Calls, Method, QueryOf } from './call';
import { ManageProblem } from './problem';
import { readList, readQuery } from './query';

/** Where calls are served, and what reads their bodies as bytes. */
export interface Mount {
  readonly router: Router;
  readonly readBody: RequestHandler;
}

/** Answers a call. The last argument holds the values of its query. */
export type Handler<C> = (req: Request, res: Response, query: QueryOf<C>) => void | Promise<void>;

/** A handler for each call of a table. */
export type Handlers<C> = { readonly [Name in keyof C]: Handler<C[Name]> };

/** Serves every call of a table as it is declared. Answers other methods of a path with the list of allowed ones. */
export function serve<C extends Calls>({ router, readBody }: Mount, calls: C, handlers: Handlers<C>): void {
  const paths = new Map<string, [Method, RequestHandler[]][]>();
  for (const [name, call] of Object.entries(calls)) {
    const [method, path] = call.at.split(' ') as [Method, string];
    // The query was read as this call declares it.
    const handler = handlers[name] as Handler<unknown>;
    const answer: RequestHandler = (req, res) => handler(req, res, res.locals['query'] as object);
    const work = [...(call.body ? [readBody] : []), answer];
    const steps = [guardFor(call), readsQuery(call), ...work.map(asWork)];
    paths.set(path, [...(paths.get(path) ?? []), [method, steps]]);
  }
  for (const [path, methods] of paths) servePath(router, path, methods);
}

function servePath(router: Router, path: string, methods: readonly [Method, RequestHandler[]][]): void {
  const route = router.route(path.replace(/\{(\w+)\}/g, ':$1'));
  for (const [method, steps] of methods) route[method.toLowerCase() as Lowercase<Method>](...steps);
  const allow = methods.map(([method]) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ');
  route.all((req, res) => {
    viewerOf(req);
    if (req.method !== 'OPTIONS') throw new ManageProblem('method-not-allowed', { headers: { Allow: allow } });
    res.set('Allow', allow).status(204).end();
  });
}

const readsQuery =
  ({ filters, query = {} }: Call): RequestHandler =>
  (req, res, next) => {
    res.locals['query'] = filters ? readList(req, filters) : readQuery(req, query);
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
