import { type RequestHandler, Router } from 'express';
import { pageFiles } from '../../../web/page-files';

/**
 * The dashboard's page and its files, and the way to it from `/` for browsers. Every path below `/dashboard` that is no file
 * is the page's own to show. Where the page was not built, there is nothing.
 */
export function dashboardRouter(folder: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/', fromTheTop);
  router.get('/dashboard', (_req, res) => {
    res.redirect(308, '/dashboard/');
  });
  const rules = { page: 'index.html', calls: [], frames: [], framedBy: [] };
  router.use('/dashboard', pageFiles(folder, { ...rules, everyPath: true, cache: 'no-store' }));
  return router;
}

/** Only a browser asks for a page; others get 404. */
const fromTheTop: RequestHandler = (req, res, next) => {
  if (!(req.headers.accept ?? '').includes('text/html')) next();
  else res.vary('Accept').redirect(302, '/dashboard/');
};
