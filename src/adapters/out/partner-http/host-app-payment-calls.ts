import { createHash } from 'node:crypto';
import { statusOfWord, type PaymentWord } from '../../../domain/payments/order-payment';
import { JsonObject, type Json } from '../../../domain/shared/json';
import { Id, OneOf, Optional, Required, Text } from '../../dto/decorators';
import type { PartnerCall } from './partner-call';
import { Anything } from './reply-rules';

class OpenedPaymentReply {
  @Required() @Id({ min: 1, max: 255 }) order_payment_id!: string;
  @Optional() @Anything() custom_attributes?: Json;
}

class StatusReply {
  @Optional() @Id({ max: 255 }) order_payment_id?: string;
  @Required() @OneOf(Object.keys(statusOfWord)) payment_status!: PaymentWord;
  @Optional() @Text({ max: 10_000 }) payment_fail_reason?: string;
  @Optional() @Anything() custom_attributes?: Json;
}

interface OfUser {
  /** The user's reference, where the call is made with their token. */
  readonly userId: string | undefined;
}

interface CreateInput extends OfUser {
  readonly appId: string;
  readonly order: JsonObject;
  /** As PaymentRequest has it. */
  readonly once: string;
  readonly integrationId: string;
}

interface StatusInput extends OfUser {
  readonly appId: string;
  readonly clientId: string;
  readonly orderPaymentId: string;
}

const userHeader = ({ userId }: OfUser): Record<string, string> => (userId === undefined ? {} : { 'X-User-ID': userId });

/** An order for a payment. */
export const createOrderPayment: PartnerCall<CreateInput, OpenedPaymentReply> = {
  leg: { side: 'hostapp', step: 'create' },
  method: 'POST',
  setting: 'create_order_payment_url',
  url: ({ hostApp }) => hostApp.settings.endpoints.createOrderPayment,
  headers: (input) => ({ 'Idempotency-Key': idempotencyKey(input), ...userHeader(input) }),
  body: ({ appId, order }) => JsonObject.of({ app_id: appId, order }),
  Reply: OpenedPaymentReply,
  relaysRefusals: true,
};

/** A payment for how it stands. */
export const readPaymentStatus: PartnerCall<StatusInput, StatusReply> = {
  leg: { side: 'hostapp', step: 'status' },
  method: 'POST',
  setting: 'get_order_payment_status_url',
  url: ({ hostApp }) => hostApp.settings.endpoints.getOrderPaymentStatus,
  headers: userHeader,
  body: ({ appId, clientId, orderPaymentId }) => JsonObject.of({ app_id: appId, client_id: clientId, order_payment_id: orderPaymentId }),
  Reply: StatusReply,
  malformed: { payment_status: 'INVALID_PAYMENT_STATUS_RESPONSE' },
  relaysRefusals: true,
};

/** Of one integration alone, whatever its caller chose: 43 characters of base64url. */
const idempotencyKey = ({ integrationId, once }: CreateInput): string =>
  createHash('sha256')
    .update(JSON.stringify([integrationId, once]))
    .digest('base64url');
