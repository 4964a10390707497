import type { Request, RequestHandler } from 'express';
import { JsonNumber, JsonObject, type Json } from '../../domain/shared/json';
import { printJson } from '../../domain/shared/print-json';
import { bodyOf, textOf } from '../read-body';
import { Recent } from './recent';
import { Refusal } from './refusal';

interface BookedOrder {
  readonly status: string;
  readonly failReason: Json | undefined;
  readonly attributes: Json | undefined;
  /** Number of results after the first final one that contradicted it. */
  readonly conflicts: number;
}

const finalWords: readonly string[] = ['paid', 'cancelled', 'failed'];

/** The sandbox miniapp's orders by order payment id. A repeated completion has no further effect. */
export class OrderRecords {
  private orders = new Recent<BookedOrder>();
  private deliveries = new Recent<true>();

  /**
   * Processes a completion. A repeated `webhook-id` and a result after a final one change nothing. Throws INVALID_INPUT for any other body.
   */
  complete(request: Request): void {
    const [id, status] = [textOf(request, 'order_payment_id'), textOf(request, 'payment_status')];
    if (!finalWords.includes(status)) throw new Refusal(400, 'INVALID_PAYMENT_STATUS', 'payment_status: must be final');
    const delivery = request.get('webhook-id');
    if (delivery !== undefined && this.deliveries.get(delivery)) return;
    if (delivery !== undefined) this.deliveries.set(delivery, true);
    const before = this.orders.get(id);
    if (!before) this.orders.set(id, bookedOf(bodyOf(request), status));
    else if (before.status !== status) this.orders.set(id, { ...before, conflicts: before.conflicts + 1 });
  }

  clear(): void {
    this.orders = new Recent();
    this.deliveries = new Recent();
  }

  /** Shows one order; numbers keep their original text. */
  readonly show: RequestHandler<{ id: string }> = (request, response) => {
    const { id } = request.params;
    const order = this.orders.get(id);
    if (!order) throw new Refusal(404, 'NOT_FOUND', 'No such order');
    const { status, failReason, attributes, conflicts } = order;
    const view = { order_payment_id: id, payment_status: status, payment_fail_reason: failReason, custom_attributes: attributes };
    response.type('application/json').send(printJson(JsonObject.of({ ...view, conflicts: new JsonNumber(String(conflicts)) })));
  };
}

const bookedOf = (body: JsonObject, status: string): BookedOrder => ({
  ...{ status, conflicts: 0 },
  ...{ failReason: body.get('payment_fail_reason'), attributes: body.get('custom_attributes') },
});
