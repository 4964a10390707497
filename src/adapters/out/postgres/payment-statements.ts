import { unansweredForMs } from '../../../domain/payments/ports';
import type { Statement } from './statement';

const columns = 'id, integration_id, order_payment_id, status, user_reference, completion, created_at';

/** Types of the values of an intent; the last is when its payment is first polled. */
export const intendTypes = ['text', 'text', 'bytea', 'bytea', 'bytea', 'timestamptz', 'text', 'text', 'text', 'timestamptz'] as const;

/** Writes intents: an array for each column. */
export const intendPayments: Statement = {
  name: 'payments.intend-all',
  text: `
    insert into order_payments (
      id, integration_id, creation, status, sealed_order, user_reference, user_digest, created_at, currency, amount, asked_of, ask_at)
    select id, integration_id, 'begun', 'in_process', sealed_order, user_reference, user_digest, at, currency, amount::numeric, asked_of, ask_at
    from unnest(
      $1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[], $6::timestamptz[], $7::text[], $8::text[], $9::text[], $10::timestamptz[]
    ) as i (id, integration_id, sealed_order, user_reference, user_digest, at, currency, amount, asked_of, ask_at)`,
};

/** Gives intents their host apps' ids: an array for each column, $4 is their number. Of those that need a transaction no row comes back. */
export const openPayments: Statement = {
  name: 'payments.open-all',
  text: 'select id from open_order_payments($1, $2, $3, $4) as id',
};

/**
 * Of a payment that is looked up by its key. The integration stands in a row with the id, which the index of keys finds as well as by `=`, and no
 * other index does: while there are a few payments, the planner takes the index of all those of the integration for cheaper, and keeps to it.
 */
const isOf = (payment: string, integration: string): string =>
  `order_payment_id = ${payment} and (order_payment_id, integration_id) between (${payment}, ${integration}) and (${payment}, ${integration})`;

const byKey = `select ${columns} from order_payments where ${isOf('$2', '$1')}`;

/**
 * Finds payments by their keys: an array of integrations and one of the host apps' ids, $3 is their number. (Of a limit by parameter Postgres
 * expects one row, so it looks each up by its key, on small tables too.)
 */
export const findAll: Statement = {
  name: 'payments.find-all',
  text: `
    select ${columns}
    from (select * from unnest($1::text[], $2::text[]) limit $3) as k (of_integration, of_payment)
    join order_payments on ${isOf('of_payment', 'of_integration')}`,
};

/** Finds one by its key, while nobody else can write the row. */
export const lock: Statement = { name: 'payments.lock', text: `${byKey} for update` };

/**
 * Holds a key that has no row yet, until the transaction ends: who binds it and who reports on it take turns. Later
 * reads need another statement, as this one sees the past.
 */
export const lockKey: Statement = {
  name: 'payments.lock-key',
  text: `select pg_advisory_xact_lock(hashtextextended(json_build_array($1::text, $2::text)::text, 0))`,
};

/** Not by `=`, which would offer the planner an index of all payments of the integration beside the key. */
const ofIntegration = 'integration_id is not distinct from $2';

/** Gives the intent the host app's id. */
export const bind: Statement = {
  name: 'payments.bind',
  text: `
    update order_payments set order_payment_id = $3, creation = 'opened', ended_at = now()
    where id = $1 and ${ofIntegration} and order_payment_id is null and creation <> 'repeated'
    returning ${columns}`,
};

/** Ends an intent that has no payment of its own: $3 says how. */
export const endIntent: Statement = {
  name: 'payments.end-intent',
  text: `
    update order_payments set creation = $3::text, ended_at = now()
    where id = $1 and ${ofIntegration} and order_payment_id is null and (creation <> 'repeated' or $3::text = 'repeated')
    returning id`,
};

/** The newest creation of the integration that may have opened a payment nobody has told us of. */
export const findAwaited: Statement = {
  name: 'payments.find-awaited',
  // A creation ends within its call's deadline, far less than an hour: the second bound is for the index.
  text: `
    select created_at from order_payments
    where integration_id = $1 and creation in ('begun', 'unanswered')
      and coalesce(ended_at, created_at) > now() - ${unansweredForMs} * interval '1 ms'
      and created_at > now() - ${unansweredForMs} * interval '1 ms' - interval '1 hour'
    order by created_at desc limit 1`,
};

/** `coalesce` hides the condition from the planner, which would rather look for the few open payments than for the named ones. */
const isOpen = `coalesce(p.status = 'in_process' and p.completion is null, false)`;

const isWell = '(l.lane is null or (not l.closed and l.released_at is not null))';

/**
 * Results and their deliveries, or neither: where somebody was faster, no row. An array for each column, each payment there once, $9 is
 * their number (see `findAll`). A row that somebody else holds is passed over: nobody waits for the payment of others. A delivery with
 * a time to be claimed for, in milliseconds, is claimed as $10, but where its endpoint is in trouble, unless it keeps up again.
 */
export const settlePayments: Statement = {
  name: 'payments.settle-all',
  text: `
    with given as (
      select * from unnest(
        $1::text[], $2::text[], $3::bytea[], $4::timestamptz[], $5::text[], $6::bytea[], $7::text[], $8::integer[]
      ) as g (payment_id, result, report, at, delivery_id, content, of_lane, claim_ms) limit $9
    ), free as (
      select given.* from given cross join lateral (
        select from order_payments p where p.id = payment_id and ${isOpen} for update skip locked
      ) held
    ), settled as (
      update order_payments p set status = result, completion = report, settled_at = free.at
      from free where p.id = payment_id
      returning p.integration_id, free.*
    ), owed as (
      insert into deliveries (id, integration_id, kind, key, lane, body, state, due_at, created_at, lease, lease_until)
      select delivery_id, integration_id, 'completion', delivery_id, of_lane, content, 'ready', now(), now(),
        case when ${isWell} and claim_ms is not null then $10::text end, case when ${isWell} then now() + claim_ms * interval '1 ms' end
      from settled left join delivery_lanes l on l.lane = of_lane returning id, lease
    )
    select id, lease from owed`,
};

export const findEarly: Statement = {
  name: 'payments.find-early',
  text: 'select status, completion, at from payment_completions_early where integration_id = $1 and order_payment_id = $2',
};

export const keepEarly: Statement = {
  name: 'payments.keep-early',
  text: 'insert into payment_completions_early (integration_id, order_payment_id, status, completion, at) values ($1, $2, $3, $4, $5)',
};

export const takeEarly: Statement = {
  name: 'payments.take-early',
  text: 'delete from payment_completions_early where integration_id = $1 and order_payment_id = $2 returning completion',
};

/** Keeps a report that does not agree, equal ones once. Of an erased user's payment the details are gone: all would differ. */
export const keepDisagreement: Statement = {
  name: 'payments.keep-disagreement',
  text: `
    insert into payment_conflicts (integration_id, order_payment_id, report_digest, kind, completion, request_id, at)
    select $1, $2, $3, $4, $5, $6, $7
    where $4::text <> 'difference' or not exists (
      select from order_payments where ${isOf('$2', '$1')} and erased_at is not null)
    on conflict (integration_id, order_payment_id, report_digest) do nothing`,
};
