import { join } from 'node:path';
import express, { Router } from 'express';
import helmet from 'helmet';

/** What a page of the playground may load and be loaded by, beside itself. */
export interface PageRules {
  /** The page's own file in the folder. */
  readonly page: 'host-app.html' | 'miniapp.html';
  /** Origins that it may call. */
  readonly calls: readonly string[];
  /** Origins of pages that it may show inside. */
  readonly frames: readonly string[];
  /** Origins of pages that may show it inside. */
  readonly framedBy: readonly string[];
}

/** Serves a page that was built into `folder`, and the files it is made of. It loads nothing from elsewhere and runs no inline script. */
export function pageFiles(folder: string, { page, calls, frames, framedBy }: PageRules): Router {
  const router = Router();
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
  const headers = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    xFrameOptions: false,
    strictTransportSecurity: false,
  });
  router.get('/', headers, (_request, response, next) => {
    response.sendFile(page, { root: folder, cacheControl: false, headers: { 'Cache-Control': 'no-cache' } }, (error) => {
      // Not built: the routes that follow have their say.
      if (error && !response.headersSent) next();
    });
  });
  router.use('/assets', headers, express.static(join(folder, 'assets'), { immutable: true, maxAge: '1y', index: false }));
  return router;
}
