import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';

/** What a page may load and be loaded by, beside itself. */
export interface PageRules {
  /** The page's own file in the folder. */
  readonly page: string;
  /** Origins that it may call. */
  readonly calls: readonly string[];
  /** Origins of pages that it may show inside. */
  readonly frames: readonly string[];
  /** Origins of pages that may show it inside. */
  readonly framedBy: readonly string[];
  /** Whether the page answers each path below the router's that is no file, or `/` alone. */
  readonly everyPath?: boolean;
  /** The cache header of the page itself. */
  readonly cache?: 'no-cache' | 'no-store';
}

/** Serves a page that was built into `folder`, and the files it is made of. It loads nothing from elsewhere and runs no inline script. */
export function pageFiles(folder: string, rules: PageRules): Router {
  const { page, everyPath = false, cache = 'no-cache' } = rules;
  const router = Router();
  const headers = pageHeaders(rules);
  router.use('/assets', headers, express.static(join(folder, 'assets'), { immutable: true, maxAge: '1y', index: false }));
  const send: RequestHandler = (_request, response, next) => {
    response.sendFile(page, { root: folder, cacheControl: false, headers: { 'Cache-Control': cache } }, (error) => {
      // Not built: the routes that follow have their say.
      if (error && !response.headersSent) next();
    });
  };
  if (everyPath) {
    router.use('/assets', (_request, response) => void response.status(404).end());
    router.get('/{*path}', headers, send);
  } else router.get('/', headers, send);
  return router;
}

function pageHeaders({ calls, frames, framedBy }: PageRules): RequestHandler {
  const orNone = (origins: readonly string[]): readonly string[] => (origins.length === 0 ? ["'none'"] : origins);
  const directives = {
    defaultSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    connectSrc: ["'self'", ...calls],
    frameSrc: orNone(frames),
    frameAncestors: orNone(framedBy),
    baseUri: ["'none'"],
    formAction: ["'none'"],
    objectSrc: ["'none'"],
  };
  // The frame rule says it by origin, which the older header cannot; and plain http on this machine stays allowed.
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    xFrameOptions: false,
    strictTransportSecurity: false,
  });
}
