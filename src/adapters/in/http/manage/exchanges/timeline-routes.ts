import type { Request, Response } from 'express';
import type { ReadTimeline } from '../../../../../domain/timeline/read-timeline';
import type { Timeline, TimelineStep } from '../../../../../domain/timeline/timeline';
import { requireSeen } from '../http/access';
import { deliveryHistoryView } from '../deliveries/deliveries-routes';
import { timeText } from '../partners/partner-mapper';
import { paymentHistoryView } from '../payments/payments-routes';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { exchangeView } from './reader-routes';
import { type Mount, pathId, serve } from '../http/serve';
import { timelineCalls } from './exchange-calls';

/** Serves timelines: everything about one call, payment or event, and the side that has to act. */
export function timelineRoutes(mount: Mount, read: ReadTimeline): void {
  const answer = (kind: keyof typeof timelineCalls) => async (req: Request, res: Response) => {
    const timeline = await read.execute(kind, pathId(req, 'id'));
    if (!timeline) throw new ManageProblem('not-found');
    requireSeen(req, timeline);
    res.json(timelineView(timeline));
  };
  serve(mount, timelineCalls, { exchange: answer('exchange'), payment: answer('payment'), delivery: answer('delivery') });
}

const timelineView = ({ kind, id, clientId, appId, verdict, split, payment, delivery, calls, steps }: Timeline): object =>
  present({
    kind,
    id,
    client_id: clientId,
    app_id: appId,
    verdict,
    split_ms: split,
    payment: payment && paymentHistoryView(payment),
    delivery: delivery && deliveryHistoryView(delivery),
    exchanges: calls.map(exchangeView),
    steps: steps.map(stepView),
  });

const stepView = ({ at, errorCode, afterUnauthorized, marks, requestId, exchangeId, deliveryId, ...step }: TimelineStep): object =>
  present({
    ...step,
    at: timeText(at),
    error_code: errorCode,
    after_unauthorized: afterUnauthorized,
    checks: marks,
    request_id: requestId,
    exchange_id: exchangeId,
    delivery_id: deliveryId,
  });
