import type { RequestHandler, Router } from 'express';
import { conformanceRoutes, type ConformanceRoutesDeps } from '../conformance/conformance-routes';
import { keyRingRoutes, type KeyRingRoutesDeps } from './key-ring-routes';
import { operationsRoutes, type OperationsRoutesDeps } from './operations-routes';

export type OperationsSideDeps = OperationsRoutesDeps & KeyRingRoutesDeps & ConformanceRoutesDeps;

/** The operator's routes about the service itself. */
export function operationsSide(router: Router, readBody: RequestHandler, options: OperationsSideDeps): void {
  operationsRoutes(router, readBody, options);
  keyRingRoutes(router, readBody, options);
  conformanceRoutes({ router, readBody }, options);
}
