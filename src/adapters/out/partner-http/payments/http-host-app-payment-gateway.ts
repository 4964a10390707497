import type { Relay } from '../../../../domain/exchanges/exchange';
import type { Integration } from '../../../../domain/partners/integrations/integration';
import { PartnerGarbled } from '../../../../domain/partners/partner-errors';
import type {
  HostAppPaymentGateway,
  OpenedPayment,
  PayingUser,
  PaymentRequest,
  StatusReport,
  StatusRequest,
} from '../../../../domain/payments/ports';
import { JsonObject, type Json } from '../../../../domain/shared/json';
import { fitsIn } from '../../../../domain/shared/json-size';
import { createOrderPayment, readPaymentStatus } from './host-app-payment-calls';
import type { PartnerHttpClient } from '../partner-http-client';
import { largestAttributes } from '../reply-rules';

/** Payments at a host app's back end over HTTP. */
export class HttpHostAppPaymentGateway implements HostAppPaymentGateway {
  constructor(private readonly client: PartnerHttpClient) {}

  async create(relay: Relay, integration: Integration, { order, once, user }: PaymentRequest): Promise<OpenedPayment> {
    const input = { appId: integration.miniapp.id, order: order.relayed, once, integrationId: integration.id, userId: user?.reference };
    const reply = await this.client.send(createOrderPayment, { relay, integration, input, ...asUser(user) });
    return { orderPaymentId: reply.order_payment_id, customAttributes: attributesOf(reply) };
  }

  async status(relay: Relay, integration: Integration, { orderPaymentId, user }: StatusRequest): Promise<StatusReport> {
    const ids = { appId: integration.miniapp.id, clientId: integration.hostApp.id, orderPaymentId };
    const sending = { relay, integration, input: { userId: user?.reference, ...ids }, ...asUser(user) };
    const reply = await this.client.send(readPaymentStatus, sending);
    requireSamePayment(orderPaymentId, reply.order_payment_id);
    return { word: reply.payment_status, failReason: reply.payment_fail_reason, customAttributes: attributesOf(reply) };
  }
}

const asUser = (user: PayingUser | undefined) => user && { userToken: user.accessToken, attempt: user.attempt };

/** Throws when the answer is about another payment. */
function requireSamePayment(requested: string, answered: string | undefined): void {
  if (answered === undefined || answered === requested) return;
  const fields = [{ path: 'order_payment_id', rule: 'must be the one that was asked for' }];
  throw new PartnerGarbled(readPaymentStatus.leg, 'UNEXPECTED_RESPONSE_ERROR', { fields });
}

/** Drops attributes that are no object or too large to relay: a payment must not fail because of them. */
function attributesOf({ custom_attributes: given }: { custom_attributes?: Json }): JsonObject | undefined {
  return given instanceof JsonObject && fitsIn(given, largestAttributes) ? given : undefined;
}
