import type { CompleteOrder } from '../../../../domain/payments/complete-order';
import type { CreateOrderPayment } from '../../../../domain/payments/create-order-payment';
import type { GetPaymentStatus } from '../../../../domain/payments/get-payment-status';
import type { Order } from '../../../../domain/payments/order-payment';
import { JsonObject, type Json } from '../../../../domain/shared/json';
import type { Action } from './api-route';
import type { CompleteOrderDto, CreateOrderPaymentDto, GetPaymentStatusDto, OrderDetailsDto } from './orders.dto';

/** orders/…: a payment is asked for, looked at, and ended. */
export class OrdersController {
  constructor(
    private readonly deps: { createOrderPayment: CreateOrderPayment; getPaymentStatus: GetPaymentStatus; completeOrder: CompleteOrder },
  ) {}

  create: Action<CreateOrderPaymentDto> = async ({ relay, integration, facts, body, idempotencyKey }) => {
    const order = orderOf(facts.order, body);
    const opened = await this.deps.createOrderPayment.execute({ relay, integration, order, idempotencyKey });
    return JsonObject.of({ order_payment_id: opened.orderPaymentId, custom_attributes: opened.customAttributes });
  };

  status: Action<GetPaymentStatusDto> = async ({ relay, integration, facts }) => {
    const { order_payment_id: orderPaymentId } = facts;
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

  complete: Action<CompleteOrderDto> = async ({ relay, integration, facts }) => {
    const { order_payment_id: orderPaymentId, payment_status: status } = facts;
    const { payment_fail_reason: failReason, custom_attributes: customAttributes } = facts;
    await this.deps.completeOrder.execute({ relay, integration, orderPaymentId, status, failReason, customAttributes });
    return JsonObject.of({ order_payment_id: orderPaymentId, payment_status: status });
  };
}

/** The facts that were read, and the order itself as it came. An empty id is none. */
function orderOf({ currency, amount, miniapp_order_id, hostapp_user_id }: OrderDetailsDto, body: Json): Order {
  const facts = {
    currency,
    amount: typeof amount === 'string' ? amount : amount.text,
    miniappOrderId: miniapp_order_id || undefined,
    hostappUserId: hostapp_user_id || undefined,
  };
  // An object with a member `order` that is an object: the facts were read from it.
  return { facts, relayed: (body as JsonObject).get('order') as JsonObject };
}
