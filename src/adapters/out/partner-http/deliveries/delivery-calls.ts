import type { DueDelivery, DeliveryContent, Receiver } from '../../../../domain/deliveries/delivery';
import type { Completion } from '../../../../domain/payments/order-payment';
import { JsonObject } from '../../../../domain/shared/json';
import { eventCalls } from '../events/event-calls';
import type { PartnerRequest } from '../partner-call';

/** One attempt at a delivery. */
export interface DeliveryInput {
  readonly delivery: Pick<DueDelivery, 'id' | 'content'>;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const common = {
  method: 'POST',
  // The receiver recognises a repeat by its id.
  repeatable: true,
  headers: ({ delivery, at }: DeliveryInput) => ({ 'webhook-id': delivery.id, 'webhook-timestamp': String(Math.floor(at / 1000)) }),
  body: ({ delivery: { content } }: DeliveryInput) => (content.kind === 'completion' ? completionBody(content.completion) : content.body),
} as const;

const completionBody = ({ appId, clientId, orderPaymentId, word, failReason, customAttributes }: Completion): JsonObject =>
  JsonObject.of({
    app_id: appId,
    client_id: clientId,
    order_payment_id: orderPaymentId,
    payment_status: word,
    payment_fail_reason: failReason,
    custom_attributes: customAttributes,
  });

/** Reports the result of a payment to its miniapp. */
const webhook: PartnerRequest<DeliveryInput> = {
  ...common,
  leg: { side: 'miniapp', step: 'webhook' },
  setting: 'webhook_url',
  url: ({ miniapp }) => miniapp.settings.endpoints.webhook,
};

/** Sends a durable event to either side. */
const events: Readonly<Record<Receiver, PartnerRequest<DeliveryInput>>> = {
  hostapp: { ...eventCalls.hostapp, ...common },
  miniapp: { ...eventCalls.miniapp, ...common },
};

/** The call that sends a delivery to its receiver (contract/partner-calls#webhook, contract/partner-calls#events-bridge). */
export function deliveryCallOf(content: DeliveryContent): PartnerRequest<DeliveryInput> {
  if (content.kind === 'completion') return webhook;
  return events[content.receiver];
}
