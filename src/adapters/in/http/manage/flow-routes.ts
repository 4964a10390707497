import type { RequestHandler, Router } from 'express';
import { AbortDelivery } from '../../../../domain/deliveries/abort-delivery';
import type { DraftDelivery } from '../../../../domain/deliveries/draft-delivery';
import type { DeliveryBook, LaneBook, ResendBook, SharedBell } from '../../../../domain/deliveries/ports';
import { ResendDelivery } from '../../../../domain/deliveries/resend-delivery';
import type { Clock, IdSource } from '../../../../domain/shared/ports';
import { deliveryRequestRoutes } from './delivery-request-routes';
import { deliveryRoutes } from './deliveries-routes';
import { laneRoutes } from './lane-routes';
import { moneyFiguresRoutes, type MoneyFiguresDeps } from './money-figures-routes';
import { paymentDeedRoutes, type PaymentDeedDeps } from './payment-deed-routes';
import { paymentRoutes } from './payments-routes';
import { resendRoutes } from './resend-routes';

/** What the routes of payments and deliveries work with. */
export interface FlowDeps extends PaymentDeedDeps, MoneyFiguresDeps {
  readonly deliveries: DeliveryBook;
  readonly resends: ResendBook;
  readonly lanes: LaneBook;
  readonly bell: SharedBell;
  readonly draftDelivery: DraftDelivery;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Payments and deliveries: what became of them, in lists and in numbers, and what people do about them. */
export function flowRoutes(router: Router, readBody: RequestHandler, deps: FlowDeps): void {
  const { deliveries: book } = deps;
  moneyFiguresRoutes(router, deps);
  paymentRoutes(router, deps);
  paymentDeedRoutes(router, readBody, deps);
  resendRoutes(router, readBody, { ...deps, book: deps.resends });
  laneRoutes(router, readBody, { ...deps, book: deps.lanes });
  deliveryRoutes(router, readBody, { book, resend: new ResendDelivery({ ...deps, book }), abort: new AbortDelivery({ ...deps, book }) });
  deliveryRequestRoutes(router, deps.draftDelivery);
}
