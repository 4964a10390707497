import type { Router } from 'express';
import {
  deliveryKinds,
  deliveryStates,
  type Attempt,
  type DeliveryHistory,
  type DeliveryRecord,
} from '../../../../domain/deliveries/delivery';
import type { DeliveryBook } from '../../../../domain/deliveries/ports';
import type { ResendDelivery } from '../../../../domain/deliveries/resend-delivery';
import { timeText } from './partner-wire';
import { present } from './present';
import { ManageProblem } from './problem';
import { listQuery, oneOf, pageOf, time, word } from './query';
import { originOf, pathId, serve } from './serve';

export interface DeliveryRoutesDeps {
  readonly book: DeliveryBook;
  readonly resend: ResendDelivery;
}

const filters = {
  id: word,
  client_id: word,
  app_id: word,
  kind: oneOf(deliveryKinds),
  state: oneOf(deliveryStates),
  from: time,
  to: time,
};

/** `/deliveries`: what partners are owed, what became of it, and once more (contract, manage.md). Bodies are not shown. */
export function deliveryRoutes(router: Router, { book, resend }: DeliveryRoutesDeps): void {
  serve(router, '/deliveries', {
    get: [
      async (req, res) => {
        const { filter, page } = listQuery(req, filters);
        const { client_id: clientId, app_id: appId, ...rest } = filter;
        const wanted = present({ ...rest, clientId, appId });
        res.json(await pageOf(page, (asked) => book.list(wanted, asked), { show: deliveryView, cursorOf: ({ id }) => id }));
      },
    ],
  });
  serve(router, '/deliveries/:id', {
    get: [
      async (req, res) => {
        const delivery = await book.find(pathId(req, 'id'));
        if (!delivery) throw new ManageProblem('not-found');
        res.json(historyView(delivery));
      },
    ],
  });
  serve(router, '/deliveries/:id/resend', {
    post: [
      async (req, res) => {
        res.json(deliveryView(await resend.execute({ id: pathId(req, 'id'), ...originOf(req) })));
      },
    ],
  });
}

const timeOr = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));

const deliveryView = (delivery: DeliveryRecord): object =>
  present({
    id: delivery.id,
    client_id: delivery.pair?.clientId,
    app_id: delivery.pair?.appId,
    integration_id: delivery.integrationId,
    kind: delivery.kind,
    receiver: delivery.receiver,
    lane: delivery.lane,
    // A completion is owed under the id of its payment.
    payment_id: delivery.kind === 'completion' ? delivery.id : undefined,
    state: delivery.state,
    parked_by: delivery.parkedBy,
    attempt_count: delivery.attemptCount,
    due_at: timeOr(delivery.dueAt),
    created_at: timeText(delivery.createdAt),
    ended_at: timeOr(delivery.endedAt),
    resent_at: timeOr(delivery.resentAt),
  });

const historyView = ({ attempts, ...delivery }: DeliveryHistory): object => ({
  ...deliveryView(delivery),
  attempts: attempts.map(attemptView),
});

const attemptView = ({ reason, at, ms, status, errorCode, cause }: Attempt): object =>
  present({ reason, at: timeText(at), ms, status, error_code: errorCode, cause });
