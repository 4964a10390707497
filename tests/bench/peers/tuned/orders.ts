import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Context } from './context';
import { requireSignature } from './credentials';
import type { KnownPair, PairIds } from './pairs';
import { Refusal } from './refusal';
import { decimal, id, list, object, text, type Schema } from './schema';

interface Creation extends PairIds {
  readonly order: { readonly hostapp_user_id: string };
}

interface Question extends PairIds {
  readonly order_payment_id: string;
}

const name = text(250);
const item = object(
  {},
  {
    ...{ product_name: name, product_variant_name: name, product_sku: name, product_image_url: text(500) },
    ...{ quantity: { type: 'integer', minimum: 0 }, price: decimal, discount: decimal },
  },
);
const lines = (names: readonly string[], schema: Schema): Record<string, Schema> => Object.fromEntries(names.map((one) => [one, schema]));
const address = object(
  {},
  {
    ...lines(['address1', 'address2'], text(1000)),
    ...lines(['first_name', 'last_name', 'phone'], name),
    ...lines(['region_name', 'region_code', 'province_name', 'province_code', 'city', 'country', 'postal_code'], text(100)),
  },
);
const order = object(
  { currency: text(20), amount: decimal, hostapp_user_id: text(255) },
  {
    ...lines(['subtotal_amount', 'shipping_amount', 'discount_amount', 'tax_amount'], decimal),
    ...{ tax_title: name, taxes_included: { type: 'boolean' }, note: text(10_000), miniapp_order_id: text(255) },
    ...{ items: list(item, 1000), shipping_address: address, custom_attributes: { type: 'object' } },
  },
);
const creation = object({ client_id: id, app_id: id, order });
const question = object({ client_id: id, app_id: id, order_payment_id: text(255) });

const findToken = { name: 'find-token', text: 'select access_token from tuned.tokens where client_id = $1 and reference = $2' };

const intend = {
  name: 'intend',
  text: `
    insert into tuned.payments (id, client_id, app_id, order_data, user_reference, status)
    values ($1, $2, $3, $4, $5, 'intended')`,
};

const open = { name: 'open', text: `update tuned.payments set payment_id = $2, status = 'in_process' where id = $1` };

const findPayment = {
  name: 'find-payment',
  text: `
    select p.user_reference, t.access_token from tuned.payments p
    left join tuned.tokens t on t.client_id = p.client_id and t.reference = p.user_reference
    where p.payment_id = $3 and p.client_id = $1 and p.app_id = $2`,
};

/** create-order-payment and get-payment-status, signed by the miniapp; the host app is called as its user. */
export function orders(app: FastifyInstance, context: Context): void {
  const { pairs, publicBase } = context;
  app.post<{ Body: Creation }>('/api/v1/orders/create-order-payment/', { schema: { body: creation } }, async (request) => {
    const pair = pairs.require(request.body);
    requireSignature(pair, request, publicBase);
    return created(context, pair, request.body.order);
  });
  app.post<{ Body: Question }>('/api/v1/orders/get-payment-status/', { schema: { body: question } }, async (request) => {
    const pair = pairs.require(request.body);
    requireSignature(pair, request, publicBase);
    return status(context, pair, request.body);
  });
}

/** The intent is stored before the host app is called, its id afterwards. */
async function created({ db, partners }: Context, pair: KnownPair, ordered: Creation['order']) {
  const { clientId, appId } = pair;
  const reference = ordered.hostapp_user_id;
  const found = await db.query<{ access_token: string }>({ ...findToken, values: [clientId, reference] });
  const [stored] = found.rows;
  if (!stored) throw new Refusal('HOSTAPP_USER_NOT_FOUND');
  const payment = randomUUID();
  await db.query({ ...intend, values: [payment, clientId, appId, JSON.stringify(ordered), reference] });
  const body = { app_id: appId, order: ordered };
  const asUser = { token: stored.access_token, reference, body };
  const { order_payment_id } = await partners.callHostAs<{ order_payment_id: string }>(pair, '/create', asUser);
  await db.query({ ...open, values: [payment, order_payment_id] });
  return { order_payment_id };
}

async function status({ db, partners }: Context, pair: KnownPair, { order_payment_id }: Question): Promise<object> {
  const { clientId, appId } = pair;
  type Found = { user_reference: string; access_token: string | null };
  const { rows } = await db.query<Found>({ ...findPayment, values: [clientId, appId, order_payment_id] });
  const [payment] = rows;
  if (!payment) throw new Refusal('ORDER_NOT_FOUND');
  if (payment.access_token === null) throw new Refusal('EXPIRED_ACCESS_TOKEN');
  const body = { app_id: appId, client_id: clientId, order_payment_id };
  const asUser = { token: payment.access_token, reference: payment.user_reference, body };
  const { payment_status } = await partners.callHostAs<{ payment_status: string }>(pair, '/status', asUser);
  return { ...body, payment_status };
}
