import type { FastifyInstance } from 'fastify';
import { DatabaseError } from 'pg';
import type { Context } from './context';
import { requireBasic } from './credentials';
import { Refusal } from './refusal';
import { decimal, list, object, text } from './schema';

interface Transaction {
  readonly transaction_id: string;
}

const short = text(255);
const transaction = object(
  { transaction_id: short, amount: decimal, currency: text(20) },
  {
    ...{ status: { enum: ['paid', 'cancelled', 'failed', 'in_process', 'refunded'] }, user_reference: text(100) },
    ...{ miniapp_order_id: short, order_payment_id: short, shipping: decimal, tax: decimal, discount: decimal },
    ...{ occurred_at: { type: 'string', format: 'date-time' }, custom_attributes: { type: 'object' } },
  },
);
const ids = object({ 'x-hostapp-client-id': text(64), 'x-miniapp-app-id': text(64) });
const oneOrMany = { if: { type: 'array' }, then: list(transaction, 500), else: transaction };
const notNull = '23502';

/** All or nothing: a record whose id has other content breaks `not null`, and with it the statement. */
const keep = {
  name: 'keep-transactions',
  text: `
    insert into tuned.transactions as kept (client_id, app_id, transaction_id, amount, currency, at, content)
    select $1, $2, t ->> 'transaction_id', (t ->> 'amount')::numeric, t ->> 'currency',
      coalesce((t ->> 'occurred_at')::timestamptz, now()), t
    from jsonb_array_elements($3::jsonb) t
    on conflict (client_id, app_id, transaction_id) do update set content = null where kept.content <> excluded.content`,
};

type Ids = Readonly<Record<'x-hostapp-client-id' | 'x-miniapp-app-id', string>>;

/** miniapp-transactions: one record or a list, each kept once. */
export function analytics(app: FastifyInstance, { db, pairs }: Context): void {
  const path = '/api/v1/analytics/miniapp-transactions/';
  type Call = { Body: Transaction | readonly Transaction[]; Headers: Ids };
  app.post<Call>(path, { schema: { body: oneOrMany, headers: ids } }, async (request) => {
    const { 'x-hostapp-client-id': client_id, 'x-miniapp-app-id': app_id } = request.headers;
    const pair = pairs.require({ client_id, app_id });
    requireBasic(pair.expectedOfMini, request);
    const { body } = request;
    const records = Array.isArray(body) ? (body as readonly Transaction[]) : [body as Transaction];
    await db.query({ ...keep, values: [client_id, app_id, JSON.stringify(records)] }).catch(refuseOtherContent);
    const results = records.map(({ transaction_id }) => ({ transaction_id, status: 'accepted' }));
    return Array.isArray(body) ? { results } : results[0];
  });
}

function refuseOtherContent(error: unknown): never {
  throw error instanceof DatabaseError && error.code === notNull ? new Refusal('DATA_INTEGRITY_ERROR') : error;
}
