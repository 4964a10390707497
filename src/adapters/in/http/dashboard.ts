import { type RequestHandler, Router } from 'express';
import { pageFiles } from '../../../web/page-files';

/**
 * Serves the dashboard's page and files, and redirects browsers from `/` to it. The page handles every other path below `/dashboard`
 * itself. When the dashboard was not built, all of it is 404.
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

/** Redirects browsers only; other clients get 404. */
const fromTheTop: RequestHandler = (req, res, next) => {
  if (!(req.headers.accept ?? '').includes('text/html')) next();
  else res.vary('Accept').redirect(302, '/dashboard/');
};
