import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { DeliveryState } from '../../../../domain/deliveries/delivery';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import type {
  ConflictKey,
  ConflictResolution,
  NotedPoll,
  NotedDisagreement,
  PaymentRecordRepository,
  PaymentFilter,
  PaymentHistory,
  PaymentRecord,
  UnmatchedResult,
} from '../../../../domain/payments/payment-record-repository';
import { mapInTurns } from '../../../json/in-turns';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit/audit-statement';
import { isInState, stateShown } from '../deliveries/delivery.schema';
import { byIntegrations, filteredStatement, ofIntegrations, type Conditions } from '../connection/filtered-statement';
import { completionFrom, type EarlyCompletionRow, type OrderPaymentRow, type PaymentConflictRow } from './payment.schema';
import { disagreementFrom } from './disagreement-row';
import { pairOf, recordFrom, type PairRow, type RecordRow } from './payment-record-row';
import { completionSealContext, earlySealContext } from './payment-seals';
import { run, runIn, transaction, type Statement } from '../connection/statement';
import { readableInTurns } from '../sealing/unreadable';

const ofPayment = 'c.integration_id = p.integration_id and c.order_payment_id = p.order_payment_id';
const isOpen = `c.kind = 'conflict' and c.resolved_at is null`;

const select = `
  select p.id, p.integration_id, p.order_payment_id, p.creation, p.status, p.created_at, p.settled_at, p.polls, p.polled_at, p.poll_outcome,
    p.sealed_summary, case when p.sealed_summary is null then p.sealed_order end as sealed_order, ${stateShown} as notice,
    (select count(*) from payment_conflicts c where ${ofPayment} and ${isOpen})::integer as open_conflicts,
    case when p.status = 'in_process' and p.order_payment_id is not null then greatest(p.poll_at, h.backoff_until) end as next_poll_at,
    i.client_id, i.app_id`;
const joins = `
  left join integrations i on i.id = p.integration_id left join deliveries d on d.id = p.id
  left join polled_host_apps h on h.client_id = p.polled_host_app and p.poll_at is not null`;

type ListFilter = NonNullable<Awaited<ReturnType<typeof byIntegrations<PaymentFilter>>>> & {
  readonly after?: string;
  readonly afterId?: string;
};

/** A completion delivery has the id of its payment and is the only delivery with its key. */
const isNoticed: Readonly<Record<DeliveryState, string>> = {
  ...isInState,
  ready: `d.state = 'ready' and d.parked_by is null and d.key = p.id`,
  parked: `d.kind = 'completion' and ${isInState.parked}`,
  failed: `d.kind = 'completion' and ${isInState.failed}`,
};

const conditions: Conditions<ListFilter> = {
  ...ofIntegrations('p.integration_id'),
  id: 'p.id = ?',
  orderPaymentId: 'p.order_payment_id = ?',
  status: 'p.status = ?',
  creation: 'p.creation = ?',
  notice: isNoticed,
  inConflict: `?::boolean and exists (select from payment_conflicts c where ${ofPayment} and ${isOpen})`,
  isSettled: { true: `p.status <> 'in_process'`, false: `p.status = 'in_process'` },
  from: 'p.created_at >= to_timestamp(?::double precision / 1000)',
  to: 'p.created_at < to_timestamp(?::double precision / 1000)',
  after: '(p.created_at, p.id) < (select created_at, id from order_payments where id = ?)',
  afterId: 'p.id < (select id from order_payments where id = ?)',
};

const byTime = { order: 'order by p.created_at desc, p.id desc', from: 'order_payments p', cursor: 'after' } as const;
/** Ids rise with time, and a delivery row does not hold the creation time of its payment. */
const byId = { order: 'order by p.id desc', from: 'order_payments p join deliveries d on d.id = p.id', cursor: 'afterId' } as const;
/** Nearly all completions are delivered, so a search for them starts from the payments. */
const byTimeOfDelivered = { ...byTime, from: byId.from } as const;

function listFor({ notice }: PaymentFilter) {
  const { order, from, cursor } = notice === undefined ? byTime : notice === 'delivered' ? byTimeOfDelivered : byId;
  // Only the rows of the page are joined. Joined earlier, all payments would be compared with all integrations.
  return { list: { select: `${select} from (select p.* from ${from}`, end: `${order} limit ?) p ${joins} ${order}` }, cursor };
}

const find: Statement = { name: 'payments.find-record', text: `${select}, p.completion from order_payments p ${joins} where p.id = $1` };

const disagreements: Statement = {
  name: 'payments.disagreements',
  text: `
    select report_digest, kind, completion, request_id, at, resolved_at, resolved_by, resolved_reason
    from payment_conflicts where integration_id = $1 and order_payment_id = $2 order by at, request_id`,
};

const notePoll: Statement = {
  name: 'payments.note-poll',
  text: 'update order_payments set polls = polls + 1, polled_at = $2, poll_outcome = $3 where id = $1',
};

const resolve: Statement = {
  name: 'payments.resolve-conflict',
  text: `
    update payment_conflicts set resolved_at = $4, resolved_by = $5, resolved_reason = $6
    where integration_id = $1 and order_payment_id = $2 and report_digest = $3 and resolved_at is null
    returning kind`,
};

/** The id of an unmatched result is a digest of its key, because the key may be longer than an id and may hold any character. */
const resultId = `encode(sha256(convert_to(json_build_array(e.integration_id, e.order_payment_id)::text, 'UTF8')), 'hex')`;

const selectUnmatched = `
  select ${resultId} as id, e.integration_id, e.order_payment_id, e.status, e.completion, e.at, i.client_id, i.app_id
  from payment_completions_early e left join integrations i on i.id = e.integration_id`;

type UnmatchedFilter = Pick<PaymentFilter, 'clientId' | 'appId' | 'orderPaymentId'>;
type UnmatchedListFilter = NonNullable<Awaited<ReturnType<typeof byIntegrations<UnmatchedFilter>>>> & {
  readonly isUnmatched: true;
  readonly after?: readonly string[];
};

const unmatchedConditions: Conditions<UnmatchedListFilter> = {
  ...ofIntegrations('e.integration_id'),
  orderPaymentId: 'e.order_payment_id = ?',
  // This condition lets Postgres use the partial index of unmatched results.
  isUnmatched: '?::boolean and e.unmatched_since is not null',
  after: `(e.at, ${resultId}) < (to_timestamp((?::text[])[1]::double precision / 1000), (?::text[])[2])`,
};

/** The payments that the operator sees, in Postgres. Reads an order only where it has no summary. */
export class PostgresPaymentRecordRepository implements PaymentRecordRepository {
  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretCipher }) {}

  async list(filter: PaymentFilter, { limit, after }: PageRequest): Promise<readonly PaymentRecord[]> {
    const scoped = await byIntegrations(this.deps.db, filter);
    if (!scoped) return [];
    const { list, cursor } = listFor(filter);
    const wanted = { ...scoped, ...(after !== undefined && { [cursor]: after }) };
    const { statement, values } = filteredStatement(list, conditions, wanted);
    return mapInTurns(await run<RecordRow>(this.deps.db, statement, [...values, limit]), (row) => recordFrom(this.deps.box, row));
  }

  async find(id: string): Promise<PaymentHistory | undefined> {
    requireIds({ id });
    const [row] = await run<RecordRow & Pick<OrderPaymentRow, 'completion'>>(this.deps.db, find, [id]);
    if (!row) return undefined;
    const { completion } = row;
    const taken = completion
      ? await readableInTurns(async () => completionFrom(this.deps.box.open(completion, completionSealContext(id))))
      : undefined;
    const noted = await run<PaymentConflictRow>(this.deps.db, disagreements, [row.integration_id, row.order_payment_id]);
    return {
      ...(await recordFrom(this.deps.box, row)),
      ...(completion && !taken && { isUnreadable: true as const }),
      result: taken && { word: taken.word, requestId: taken.requestId, at: taken.at },
      disagreements: await mapInTurns(noted, (conflict) => disagreementFrom(this.deps.box, { key: keyOf(row), conflict, taken })),
    };
  }

  async notePoll(id: string, { polledAt, outcome }: NotedPoll, audit: AuditEntry): Promise<void> {
    requireIds({ id });
    await transaction(this.deps.db, async (manager) => {
      await runIn(manager, notePoll, [id, new Date(polledAt), outcome]);
      await appendAudit(manager, audit);
    });
  }

  async resolve(
    { paymentId, conflictId }: ConflictKey,
    { at, by, reason }: ConflictResolution,
    audit: (before: NotedDisagreement) => AuditEntry,
  ): Promise<PaymentHistory | undefined> {
    const payment = await this.find(paymentId);
    const before = payment?.disagreements.find(({ id }) => id === conflictId);
    if (!payment || !before) return undefined;
    await transaction(this.deps.db, async (manager) => {
      const key = [payment.integrationId, payment.orderPaymentId, Buffer.from(conflictId, 'hex')];
      const resolved = await runIn(manager, resolve, [...key, new Date(at), by, reason]);
      if (resolved.length > 0) await appendAudit(manager, audit(before));
    });
    return this.find(paymentId);
  }

  async unmatched(filter: UnmatchedFilter, { limit, after }: PageRequest): Promise<readonly UnmatchedResult[]> {
    const scoped = await byIntegrations(this.deps.db, filter);
    const position = after === undefined ? undefined : positionIn(after);
    if (!scoped || (after !== undefined && !position)) return [];
    const list = { select: selectUnmatched, end: 'order by e.at desc, id desc limit ?' };
    const wanted = { ...scoped, isUnmatched: true as const, ...(position && { after: position }) };
    const { statement, values } = filteredStatement(list, unmatchedConditions, wanted);
    const rows = await run<EarlyCompletionRow & PairRow & { id: string }>(this.deps.db, statement, [...values, limit]);
    return mapInTurns(rows, (row) => this.unmatchedFrom(row));
  }

  private async unmatchedFrom(row: EarlyCompletionRow & PairRow & { id: string }): Promise<UnmatchedResult> {
    const { id, integration_id: integrationId, order_payment_id: orderPaymentId, status, at } = row;
    const context = earlySealContext({ integrationId, orderPaymentId });
    const read = await readableInTurns(async () => completionFrom(this.deps.box.open(row.completion, context)));
    const shown = { id, integrationId, pair: pairOf(row), orderPaymentId, status, requestId: read?.requestId ?? '', at: at.getTime() };
    return read ? shown : { ...shown, isUnreadable: true };
  }
}

/** The time and the id in a cursor. `undefined` for a cursor that the service never issued. */
const positionIn = (cursor: string): readonly string[] | undefined => /^(\d{1,15})\/([0-9a-f]{64})$/.exec(cursor)?.slice(1);

const keyOf = ({ integration_id: integrationId, order_payment_id: orderPaymentId }: RecordRow) => ({
  integrationId,
  orderPaymentId: orderPaymentId ?? '',
});
