import { createHash } from 'node:crypto';
import { statusOfWord, type PaymentWord } from '../../../../domain/payments/order-payment';
import { JsonObject, type Json } from '../../../../domain/shared/json';
import { Id, OneOf, Optional, Required, Text } from '../../../dto/decorators';
import type { PartnerCall } from '../partner-call';
import { Anything } from '../reply-rules';

class OpenedPaymentReply {
  @Required("Id of the new payment; the miniapp's page gives it to the SDK, and the completion names it.")
  @Id({ min: 1, max: 255 })
  order_payment_id!: string;
  @Optional('Further data for the miniapp, at most 64 KiB printed; a larger value is left out.') @Anything() custom_attributes?: Json;
}

class StatusReply {
  @Optional('Id of the payment that was asked about; its form is checked, its value is not used.')
  @Id({ max: 255 })
  order_payment_id?: string;
  @Required('How the payment stands; `processing` is another word for `in_process`, other words are refused.')
  @OneOf(Object.keys(statusOfWord))
  payment_status!: PaymentWord;
  @Optional('Why the payment failed, in words for the miniapp.') @Text({ max: 10_000 }) payment_fail_reason?: string;
  @Optional('Further data about the payment, relayed to the miniapp.') @Anything() custom_attributes?: Json;
}

interface OfUser {
  /** The user's reference, if the call uses the user's token. */
  readonly userId: string | undefined;
}

interface CreateInput extends OfUser {
  readonly appId: string;
  readonly order: JsonObject;
  /** See `once` of PaymentRequest. */
  readonly once: string;
  readonly integrationId: string;
}

interface StatusInput extends OfUser {
  readonly appId: string;
  readonly clientId: string;
  readonly orderPaymentId: string;
}

const userHeader = ({ userId }: OfUser): Record<string, string> => (userId === undefined ? {} : { 'X-User-ID': userId });

/** Creates a payment for an order. */
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

/** Reads the status of a payment. */
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

/** A key that is unique per integration, whatever its caller chose: 43 characters of base64url. */
const idempotencyKey = ({ integrationId, once }: CreateInput): string =>
  createHash('sha256')
    .update(JSON.stringify([integrationId, once]))
    .digest('base64url');
