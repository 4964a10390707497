import type { CompleteOrder } from '../../../../domain/payments/complete-order';
import type { CreateOrderPayment } from '../../../../domain/payments/create-order-payment';
import type { GetPaymentStatus } from '../../../../domain/payments/get-payment-status';
import type { Order } from '../../../../domain/payments/order-payment';
import { JsonObject, type Json } from '../../../../domain/shared/json';
import type { Action } from './api-route';
import type { CompleteOrderDto, CreateOrderPaymentDto, GetPaymentStatusDto, OrderDetailsDto } from './orders.dto';

/** orders/…: creates, reads and completes payments. */
export class OrdersController {
  constructor(
    private readonly deps: { createOrderPayment: CreateOrderPayment; getPaymentStatus: GetPaymentStatus; completeOrder: CompleteOrder },
  ) {}

  create: Action<CreateOrderPaymentDto> = async ({ relay, integration, fields, body, idempotencyKey }) => {
    const order = orderOf(fields.order, body);
    const opened = await this.deps.createOrderPayment.execute({ relay, integration, order, idempotencyKey });
    return JsonObject.of({ order_payment_id: opened.orderPaymentId, custom_attributes: opened.customAttributes });
  };

  status: Action<GetPaymentStatusDto> = async ({ relay, integration, fields }) => {
    const { order_payment_id: orderPaymentId } = fields;
    const report = await this.deps.getPaymentStatus.execute({ relay, integration, orderPaymentId });
    return JsonObject.of({
      app_id: integration.miniapp.id,
      client_id: integration.hostApp.id,
      order_payment_id: orderPaymentId,
      payment_status: report.word,
      payment_fail_reason: report.failReason,
      custom_attributes: report.customAttributes,
    });
  };

  complete: Action<CompleteOrderDto> = async ({ relay, integration, fields }) => {
    const { order_payment_id: orderPaymentId, payment_status: status } = fields;
    const { payment_fail_reason: failReason, custom_attributes: customAttributes } = fields;
    await this.deps.completeOrder.execute({ relay, integration, orderPaymentId, status, failReason, customAttributes });
    return JsonObject.of({ order_payment_id: orderPaymentId, payment_status: status });
  };
}

/** The validated fields and the order as it was sent. An empty id counts as absent. */
function orderOf({ currency, amount, miniapp_order_id, hostapp_user_id }: OrderDetailsDto, body: Json): Order {
  const fields = {
    currency,
    amount: typeof amount === 'string' ? amount : amount.text,
    miniappOrderId: miniapp_order_id || undefined,
    hostappUserId: hostapp_user_id || undefined,
  };
  // Validation has made sure that the body is an object with a member `order` that is an object.
  return { fields, relayed: (body as JsonObject).get('order') as JsonObject };
}
