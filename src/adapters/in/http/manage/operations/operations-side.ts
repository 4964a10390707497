import type { Mount } from '../http/serve';
import { conformanceRoutes, type ConformanceRoutesDeps } from '../conformance/conformance-routes';
import { keyRingRoutes, type KeyRingRoutesDeps } from './key-ring-routes';
import { operationsRoutes, type OperationsRoutesDeps } from './operations-routes';

export type OperationsSideDeps = OperationsRoutesDeps & KeyRingRoutesDeps & ConformanceRoutesDeps;

/** The operator's routes about the service itself. */
export function operationsSide(mount: Mount, options: OperationsSideDeps): void {
  operationsRoutes(mount, options);
  keyRingRoutes(mount, options);
  conformanceRoutes(mount, options);
}
