import { unansweredForMs } from '../../../../domain/payments/ports';
import type { Statement } from '../connection/statement';

const columns = 'id, integration_id, order_payment_id, status, user_reference, completion, created_at';

/** The parameter types of an intent. The last is the time of the first poll. */
export const intendTypes = [
  ...(['text', 'text', 'bytea', 'bytea', 'bytea', 'bytea'] as const),
  ...(['timestamptz', 'text', 'text', 'text', 'timestamptz'] as const),
];

/** Writes intents. Takes one array per column. */
export const intendPayments: Statement = {
  name: 'payments.intend-all',
  text: `
    insert into order_payments (
      id, integration_id, creation, status, sealed_order, sealed_summary, user_reference, user_digest, created_at, currency, amount,
      polled_host_app, poll_at)
    select id, integration_id, 'begun', 'in_process', sealed_order, sealed_summary, user_reference, user_digest, at, currency, amount::numeric,
      polled_host_app, poll_at
    from unnest(
      $1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bytea[],
      $7::timestamptz[], $8::text[], $9::text[], $10::text[], $11::timestamptz[]
    ) as i (id, integration_id, sealed_order, sealed_summary, user_reference, user_digest, at, currency, amount, polled_host_app, poll_at)`,
};

/**
 * Binds intents to the payment ids of their host apps. Takes one array per column; $4 is their length. Returns no row for a payment that
 * needs a transaction.
 */
export const openPayments: Statement = {
  name: 'payments.open-all',
  text: 'select id from open_order_payments($1, $2, $3, $4) as id',
};

/**
 * The condition that finds a payment by its key. The row comparison contains the integration too, so only the index of keys fits it. With
 * `=`, the planner would use the index of all payments of the integration while there are few payments, and would keep that plan.
 */
const isOf = (payment: string, integration: string): string =>
  `order_payment_id = ${payment} and (order_payment_id, integration_id) between (${payment}, ${integration}) and (${payment}, ${integration})`;

const byKey = `select ${columns} from order_payments where ${isOf('$2', '$1')}`;

/**
 * Finds payments by their keys. Takes an array of integrations and one of the host apps' ids; $3 is their length. (With a limit by
 * parameter, Postgres expects one row and looks each payment up by its key, even in small tables.)
 */
export const findAll: Statement = {
  name: 'payments.find-all',
  text: `
    select ${columns}
    from (select * from unnest($1::text[], $2::text[]) limit $3) as k (of_integration, of_payment)
    join order_payments on ${isOf('of_payment', 'of_integration')}`,
};

/** Finds a payment by its key and locks its row. */
export const lock: Statement = { name: 'payments.lock', text: `${byKey} for update` };

/**
 * Locks a key that has no row yet until the transaction ends, so that binding and reporting cannot run at the same time. Reads that follow
 * need a statement of their own, because this one has an older snapshot.
 */
export const lockKey: Statement = {
  name: 'payments.lock-key',
  text: `select pg_advisory_xact_lock(hashtextextended(json_build_array($1::text, $2::text)::text, 0))`,
};

/** Not `=`: the planner could then choose an index of all payments of the integration over the primary key. */
const ofIntegration = 'integration_id is not distinct from $2';

/** Binds the intent to the host app's payment id. */
export const bind: Statement = {
  name: 'payments.bind',
  text: `
    update order_payments set order_payment_id = $3, creation = 'opened', ended_at = now()
    where id = $1 and ${ofIntegration} and order_payment_id is null and creation <> 'repeated'
    returning ${columns}`,
};

/** Ends an intent that has no payment of its own; $3 is the outcome. */
export const endIntent: Statement = {
  name: 'payments.end-intent',
  text: `
    update order_payments set creation = $3::text, ended_at = now()
    where id = $1 and ${ofIntegration} and order_payment_id is null and (creation <> 'repeated' or $3::text = 'repeated')
    returning id`,
};

/** The newest creation of the integration that may have opened a payment whose id has not arrived. */
export const findAwaited: Statement = {
  name: 'payments.find-awaited',
  // A creation ends within its call's deadline, much less than an hour. The second bound only lets an index be used.
  text: `
    select created_at from order_payments
    where integration_id = $1 and creation in ('begun', 'unanswered')
      and coalesce(ended_at, created_at) > now() - ${unansweredForMs} * interval '1 ms'
      and created_at > now() - ${unansweredForMs} * interval '1 ms' - interval '1 hour'
    order by created_at desc limit 1`,
};

/** `coalesce` hides the condition from the planner, which would otherwise scan the open payments instead of the given ones. */
const isOpen = `coalesce(p.status = 'in_process' and p.completion is null, false)`;

const isWell = '(l.queue is null or (not l.circuit_open and l.recovering_since is not null))';

/**
 * Stores results together with their deliveries. A payment that already has a result returns no row. Takes one array per column, each
 * payment once; $9 is their length (see `findAll`). Skips rows that another transaction has locked. A delivery with a claim time in
 * milliseconds is claimed as $10 at once, unless its endpoint is in trouble; an endpoint that keeps up again counts as healthy.
 */
export const settlePayments: Statement = {
  name: 'payments.settle-all',
  text: `
    with given as (
      select * from unnest(
        $1::text[], $2::text[], $3::bytea[], $4::timestamptz[], $5::text[], $6::bytea[], $7::text[], $8::integer[]
      ) as g (payment_id, result, report, at, delivery_id, content, of_queue, claim_ms) limit $9
    ), free as (
      select given.* from given cross join lateral (
        select from order_payments p where p.id = payment_id and ${isOpen} for update skip locked
      ) held
    ), settled as (
      update order_payments p set status = result, completion = report, settled_at = free.at
      from free where p.id = payment_id
      returning p.integration_id, free.*
    ), delivery as (
      insert into deliveries (id, integration_id, kind, key, queue, body, state, due_at, created_at, lease, lease_until)
      select delivery_id, integration_id, 'completion', delivery_id, of_queue, content, 'ready', now(), now(),
        case when ${isWell} and claim_ms is not null then $10::text end, case when ${isWell} then now() + claim_ms * interval '1 ms' end
      from settled left join endpoint_queues l on l.queue = of_queue returning id, lease
    )
    select id, lease from delivery`,
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

/**
 * Stores a report that disagrees; equal reports are stored once. Skips payments of erased users: their details are gone, so every report
 * would differ.
 */
export const keepDisagreement: Statement = {
  name: 'payments.keep-disagreement',
  text: `
    insert into payment_conflicts (integration_id, order_payment_id, report_digest, kind, completion, request_id, at)
    select $1, $2, $3, $4, $5, $6, $7
    where $4::text <> 'difference' or not exists (
      select from order_payments where ${isOf('$2', '$1')} and erased_at is not null)
    on conflict (integration_id, order_payment_id, report_digest) do nothing`,
};
