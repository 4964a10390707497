import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { PageRequest } from '../../../domain/partners/ports';
import type { PaymentBook, PaymentFilter, PaymentHistory, PaymentRecord } from '../../../domain/payments/payment-book';
import { JsonObject, readJson } from '../../../domain/shared/json';
import { requireIds } from '../../../domain/shared/required-id';
import { filteredStatement, type Conditions } from './filtered-statement';
import { orderPlace, type OrderPaymentRow, type PaymentConflictRow } from './payment.schema';
import { run, type Statement } from './statement';

const select = `
  select p.id, p.integration_id, p.order_payment_id, p.creation, p.status, p.sealed_order, p.created_at, p.settled_at,
    i.client_id, i.app_id
  from order_payments p left join integrations i on i.id = p.integration_id`;

const conditions: Conditions<PaymentFilter & { after?: string }> = {
  id: 'p.id = ?',
  clientId: 'i.client_id = ?',
  appId: 'i.app_id = ?',
  orderPaymentId: 'p.order_payment_id = ?',
  status: 'p.status = ?',
  creation: 'p.creation = ?',
  from: 'p.created_at >= to_timestamp(?::double precision / 1000)',
  to: 'p.created_at < to_timestamp(?::double precision / 1000)',
  after: '(p.created_at, p.id) < (select created_at, id from order_payments where id = ?)',
};

const find: Statement = { name: 'payments.find-record', text: `${select} where p.id = $1` };

const disagreements: Statement = {
  name: 'payments.disagreements',
  text: 'select kind, request_id, at from payment_conflicts where integration_id = $1 and order_payment_id = $2 order by at, request_id',
};

type RecordRow = Omit<OrderPaymentRow, 'user_reference' | 'completion' | 'ended_at'> & { client_id: string | null; app_id: string | null };

/** What the operator sees of payments, in Postgres. Of the sealed order only amount and currency are read. */
export class PostgresPaymentBook implements PaymentBook {
  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretBox }) {}

  async list(filter: PaymentFilter, { limit, after }: PageRequest): Promise<readonly PaymentRecord[]> {
    const list = { name: 'payments.list', select, end: 'order by p.created_at desc, p.id desc limit ?' };
    const { statement, values } = filteredStatement(list, conditions, { ...filter, ...(after !== undefined && { after }) });
    return (await run<RecordRow>(this.deps.db, statement, [...values, limit])).map((row) => this.recordFrom(row));
  }

  async find(id: string): Promise<PaymentHistory | undefined> {
    requireIds({ id });
    const [row] = await run<RecordRow>(this.deps.db, find, [id]);
    if (!row) return undefined;
    const noted = await run<PaymentConflictRow>(this.deps.db, disagreements, [row.integration_id, row.order_payment_id]);
    const shown = noted.map(({ kind, request_id: requestId, at }) => ({ kind, requestId, at: at.getTime() }));
    return { ...this.recordFrom(row), disagreements: shown };
  }

  private recordFrom(row: RecordRow): PaymentRecord {
    const order = readJson(this.deps.box.open(row.sealed_order, orderPlace(row.id)));
    const text = (name: string): string => {
      const value = order instanceof JsonObject ? order.get(name) : undefined;
      if (typeof value !== 'string') throw new Error(`A stored order has no ${name}`);
      return value;
    };
    return {
      id: row.id,
      integrationId: row.integration_id,
      pair: row.client_id === null || row.app_id === null ? undefined : { clientId: row.client_id, appId: row.app_id },
      orderPaymentId: row.order_payment_id ?? undefined,
      creation: row.creation,
      status: row.status,
      amount: text('amount'),
      currency: text('currency'),
      createdAt: row.created_at.getTime(),
      settledAt: row.settled_at?.getTime(),
    };
  }
}
