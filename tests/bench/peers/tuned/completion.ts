import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Context } from './context';
import { requireBasic } from './credentials';
import type { Deliveries } from './deliveries';
import type { PairIds } from './pairs';
import { Refusal } from './refusal';
import { id, object, text } from './schema';

interface Completion extends PairIds {
  readonly order_payment_id: string;
  readonly payment_status: string;
  readonly payment_fail_reason?: string;
  readonly custom_attributes?: object;
}

const completion = object(
  { client_id: id, app_id: id, order_payment_id: text(255), payment_status: { enum: ['paid', 'cancelled', 'failed'] } },
  { payment_fail_reason: text(10_000), custom_attributes: { type: 'object' } },
);

/** The result and its delivery to the miniapp, or neither. For half a minute the delivery belongs to the process that took the call. */
const settle = {
  name: 'settle',
  text: `
    with settled as (
      update tuned.payments set status = $4, settled_at = now()
      where payment_id = $3 and client_id = $1 and app_id = $2 and status = 'in_process' returning id
    )
    insert into tuned.deliveries (id, client_id, app_id, body, due_at)
    select $5, $1, $2, $6, now() + interval '30 seconds' from settled`,
};

const statusOf = {
  name: 'status-of',
  text: 'select status from tuned.payments where payment_id = $3 and client_id = $1 and app_id = $2',
};

/** complete-order: answered when the result and its delivery are stored; the webhook follows. */
export function completeOrder(app: FastifyInstance, context: Context, deliveries: Deliveries): void {
  app.post<{ Body: Completion }>('/api/v1/orders/complete-order/', { schema: { body: completion } }, async (request) => {
    const pair = context.pairs.require(request.body);
    requireBasic(pair.expectedOfHost, request);
    const { order_payment_id, payment_status } = request.body;
    const delivery = { id: randomUUID(), body: bodyOf(request.body) };
    const key = [pair.clientId, pair.appId, order_payment_id];
    const { rowCount } = await context.db.query({ ...settle, values: [...key, payment_status, delivery.id, delivery.body] });
    if (rowCount === 0) await requireSame(context, key, payment_status);
    else void deliveries.attempt(pair, delivery);
    return { order_payment_id, payment_status };
  });
}

const bodyOf = ({ app_id, client_id, order_payment_id, payment_status, payment_fail_reason, custom_attributes }: Completion): string =>
  JSON.stringify({ app_id, client_id, order_payment_id, payment_status, payment_fail_reason, custom_attributes });

/** The same result again changes nothing. Throws ORDER_NOT_FOUND, and INVALID_PAYMENT_STATUS for another one. */
async function requireSame({ db }: Context, key: readonly string[], reported: string): Promise<void> {
  const { rows } = await db.query<{ status: string }>({ ...statusOf, values: [...key] });
  if (!rows[0]) throw new Refusal('ORDER_NOT_FOUND');
  if (rows[0].status !== reported) throw new Refusal('INVALID_PAYMENT_STATUS');
}
