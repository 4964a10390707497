import { Router } from 'express';
import { JsonObject } from '../../../domain/shared/json';
import { sendJson } from './answer';
import { wrongMethod } from './reading/wrong-method';

/** Why the service cannot serve right now, as short words (`database`, `stopping`). Empty when it can. */
export type Readiness = () => Promise<readonly string[]>;

/** Problems that do not stop the service from working, as short words. */
export type Warnings = readonly string[];

/**
 * GET /health/live answers while the process runs. GET /health/ready answers 200 when the service can serve, else 503 with reasons
 * (contract/management#health-and-stopping), and lists warnings if there are any.
 */
export function healthRouter(readiness: Readiness, warnings: Warnings): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(['/live', '/live/'])
    .get((_req, res) => {
      void sendJson(res, { status: 200, body: JsonObject.of({ status: 'live' }) });
    })
    .all(wrongMethod(['GET', 'HEAD']));
  router
    .route(['/ready', '/ready/'])
    .get(async (_req, res) => {
      const reasons = await readiness();
      const status = reasons.length === 0 ? 'ready' : 'not ready';
      void sendJson(res, {
        status: reasons.length === 0 ? 200 : 503,
        body: JsonObject.of({ status, reasons, ...(warnings.length > 0 && { warnings }) }),
      });
    })
    .all(wrongMethod(['GET', 'HEAD']));
  return router;
}
