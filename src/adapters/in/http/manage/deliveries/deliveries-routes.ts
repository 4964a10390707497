import type { Request } from 'express';
import type { Attempt, DeliveryHistory, DeliveryRecord } from '../../../../../domain/deliveries/delivery';
import type { DeliveryRepository } from '../../../../../domain/deliveries/ports';
import type { DraftDelivery, DraftedDelivery } from '../../../../../domain/deliveries/draft-delivery';
import type { AbortDelivery } from '../../../../../domain/deliveries/abort-delivery';
import type { ResendDelivery } from '../../../../../domain/deliveries/resend-delivery';
import { narrowed, requireSeen, viewerOf } from '../http/access';
import { plannedAttempts, plannedTimes } from '../../../../../domain/deliveries/schedule';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { asStandingProblem, ManageProblem } from '../http/problem';
import { pageOf } from '../http/query';
import { reasonIn } from '../http/reason.dto';
import { type Mount, originOf, pathId, serve } from '../http/serve';
import { deliveryCalls } from './delivery-calls';

export interface DeliveryRoutesDeps {
  readonly deliveries: DeliveryRepository;
  readonly resendDelivery: ResendDelivery;
  readonly abortDelivery: AbortDelivery;
  readonly draftDelivery: DraftDelivery;
}

/** Serves the calls about deliveries. */
export function deliveryRoutes(mount: Mount, deps: DeliveryRoutesDeps): void {
  const { deliveries: repository, resendDelivery: resend, abortDelivery: abort, draftDelivery } = deps;
  serve(mount, deliveryCalls, {
    list: async (req, res, { filter, page }) => {
      const { client_id: clientId, app_id: appId, ...rest } = filter;
      const wanted = narrowed(req, present({ ...rest, clientId, appId }));
      res.json(await pageOf(page, (request) => repository.list(wanted, request), { show: deliveryView, cursorOf: ({ id }) => id }));
    },
    get: async (req, res) => {
      const delivery = await repository.find(pathId(req, 'id'));
      if (!delivery) throw new ManageProblem('not-found');
      requireSeen(req, delivery.pair);
      res.json(deliveryHistoryView(delivery));
    },
    resend: async (req, res) => {
      const id = pathId(req, 'id');
      requireReceiver(req, await repository.find(id));
      res.json(deliveryView(await resend.execute({ id, ...originOf(req) })));
    },
    abort: async (req, res) => {
      const id = pathId(req, 'id');
      requireReceiver(req, await repository.find(id));
      res.json(deliveryView(await abort.execute({ id, reason: await reasonIn(req), ...originOf(req) })));
    },
    draft: async (req, res) => {
      try {
        res.json(requestView(await draftDelivery.execute({ ...originOf(req), id: pathId(req, 'id') })));
      } catch (error) {
        throw asStandingProblem(error);
      }
    },
  });
}

/** Only the receiver and the operator decide about a delivery. Throws ManageProblem. */
function requireReceiver(req: Request, delivery: DeliveryRecord | undefined): void {
  if (!delivery) return;
  requireSeen(req, delivery.pair);
  const { role } = viewerOf(req);
  if (role !== 'operator' && delivery.receiver !== receiverOf[role]) {
    throw new ManageProblem('not-allowed', { detail: 'It goes to the other side, who alone may decide about it' });
  }
}

const receiverOf = { 'host-app': 'hostapp', miniapp: 'miniapp' } as const;

const timeOr = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));

const deliveryView = (delivery: DeliveryRecord): object =>
  present({
    id: delivery.id,
    client_id: delivery.pair?.clientId,
    app_id: delivery.pair?.appId,
    integration_id: delivery.integrationId,
    kind: delivery.kind,
    receiver: delivery.receiver,
    queue: delivery.queue,
    // The id of a completion's delivery is the id of its payment.
    payment_id: delivery.kind === 'completion' ? delivery.id : undefined,
    state: delivery.state,
    parked_by: delivery.parkedBy,
    attempt_count: delivery.attemptCount,
    due_at: timeOr(delivery.dueAt),
    created_at: timeText(delivery.createdAt),
    ended_at: timeOr(delivery.endedAt),
    resent_at: timeOr(delivery.resentAt),
    planned_attempts: plannedAttempts,
    last_attempt_at: timeOr(delivery.last?.at),
    last_status: delivery.last?.status,
    last_error_code: delivery.last?.errorCode,
    last_cause: delivery.last?.cause,
    aborted_reason: delivery.abortedReason,
  });

/** A delivery with its attempts and, if the schedule is known, the planned ones. */
export const deliveryHistoryView = ({
  attempts,
  tries,
  ...delivery
}: Omit<DeliveryHistory, 'tries'> & { readonly tries?: number }): object => ({
  ...deliveryView(delivery),
  attempts: attempts.map(attemptView),
  ...(tries !== undefined && { planned: plannedOf({ ...delivery, tries }).map(timeText) }),
});

/** Times of the next attempts as long as every attempt fails. A parked delivery has no schedule. */
const plannedOf = ({ state, tries, dueAt, resentAt, createdAt }: Omit<DeliveryHistory, 'attempts'>): number[] =>
  state === 'ready' && dueAt !== undefined ? plannedTimes({ tries: tries + 1, dueAt, pendingSince: resentAt ?? createdAt }) : [];

const attemptView = ({ reason, at, ms, status, errorCode, cause }: Attempt): object =>
  present({ reason, at: timeText(at), ms, status, error_code: errorCode, cause });

const requestView = ({ id, receiver, method, url, headers, body }: DraftedDelivery): object => ({
  ...{ id, receiver, method, url },
  headers: Object.entries(headers),
  body_base64: Buffer.from(body).toString('base64'),
});
