import type { RequestHandler, Router } from 'express';
import type { DraftDelivery } from '../../../../../domain/deliveries/draft-delivery';
import { deliveryRequestRoutes } from '../deliveries/delivery-request-routes';
import { deliveryRoutes, type DeliveryRoutesDeps } from '../deliveries/deliveries-routes';
import { endpointQueueRoutes, type EndpointQueueRoutesDeps } from '../deliveries/endpoint-queue-routes';
import { moneyFiguresRoutes, type MoneyFiguresDeps } from '../payments/money-figures-routes';
import { paymentActionRoutes, type PaymentActionDeps } from '../payments/payment-action-routes';
import { paymentRoutes } from '../payments/payments-routes';
import { resendRoutes, type ResendRoutesDeps } from '../deliveries/resend-routes';

/** Dependencies of the routes of payments and deliveries. */
export interface FlowDeps extends PaymentActionDeps, MoneyFiguresDeps, ResendRoutesDeps, EndpointQueueRoutesDeps, DeliveryRoutesDeps {
  readonly draftDelivery: DraftDelivery;
}

/** Payments and deliveries: lists, statistics and actions. */
export function flowRoutes(router: Router, readBody: RequestHandler, deps: FlowDeps): void {
  moneyFiguresRoutes({ router, readBody }, deps);
  paymentRoutes(router, deps);
  paymentActionRoutes(router, readBody, deps);
  resendRoutes(router, readBody, deps);
  endpointQueueRoutes(router, readBody, deps);
  deliveryRoutes(router, readBody, deps);
  deliveryRequestRoutes(router, deps.draftDelivery);
}
