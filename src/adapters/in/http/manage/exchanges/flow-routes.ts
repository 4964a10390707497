import type { Mount } from '../http/serve';
import { deliveryRoutes, type DeliveryRoutesDeps } from '../deliveries/deliveries-routes';
import { endpointQueueRoutes, type EndpointQueueRoutesDeps } from '../deliveries/endpoint-queue-routes';
import { moneyFiguresRoutes, type MoneyFiguresDeps } from '../payments/money-figures-routes';
import { paymentActionRoutes, type PaymentActionDeps } from '../payments/payment-action-routes';
import { paymentRoutes } from '../payments/payments-routes';
import { resendRoutes, type ResendRoutesDeps } from '../deliveries/resend-routes';

/** Dependencies of the routes of payments and deliveries. */
export interface FlowDeps extends PaymentActionDeps, MoneyFiguresDeps, ResendRoutesDeps, EndpointQueueRoutesDeps, DeliveryRoutesDeps {}

/** Payments and deliveries: lists, statistics and actions. */
export function flowRoutes(mount: Mount, deps: FlowDeps): void {
  moneyFiguresRoutes(mount, deps);
  paymentRoutes(mount, deps);
  paymentActionRoutes(mount, deps);
  resendRoutes(mount, deps);
  endpointQueueRoutes(mount, deps);
  deliveryRoutes(mount, deps);
}
