import type { RequestHandler, Router } from 'express';
import { conformanceRoutes, type ConformanceRoutesDeps } from './conformance-routes';
import { keyRingRoutes, type KeyRingRoutesDeps } from './key-ring-routes';
import { operationsRoutes, type OperationsRoutesDeps } from './operations-routes';

/** The service itself, and what takes minutes. */
export type OperationsDesk = OperationsRoutesDeps & KeyRingRoutesDeps & ConformanceRoutesDeps;

/** What the operator sees and does of the service itself. */
export function operationsSide(router: Router, readBody: RequestHandler, desk: OperationsDesk): void {
  operationsRoutes(router, readBody, desk);
  keyRingRoutes(router, readBody, desk);
  conformanceRoutes(router, readBody, desk);
}
