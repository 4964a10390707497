import type { Statement } from '../connection/statement';

const earlier = (...columns: readonly string[]): string =>
  columns.map((column) => `${column} = ${column} - $2 * interval '1 ms'`).join(', ');

/** Serialises time shifts of one integration. */
export const lockPair: Statement = {
  name: 'time-shift.lock-pair',
  text: 'select id from integrations where client_id = $1 and app_id = $2 for update',
};

export const findPair: Statement = {
  name: 'time-shift.find-pair',
  text: 'select id from integrations where client_id = $1 and app_id = $2',
};

/** Shifts the integration $1 by $2 milliseconds, as do the statements below. */
export const shiftDeliveries: Statement = {
  name: 'time-shift.deliveries',
  text: `
    with moved as (
      update deliveries set ${earlier('due_at', 'created_at', 'resent_at', 'resume_at', 'attempted_at')}
      where integration_id = $1 and state = 'ready'
      returning id
    ),
    attempts as (
      update delivery_attempts set ${earlier('at')} where delivery_id in (select id from moved)
    )
    select count(*)::integer as count from moved`,
};

export const shiftQueues: Statement = {
  name: 'time-shift.queues',
  text: `
    update endpoint_queues set ${earlier('probe_at', 'since', 'recovering_since')}
    where queue in (select queue from deliveries where integration_id = $1 and state = 'ready')`,
};

export const shiftPayments: Statement = {
  name: 'time-shift.payments',
  text: `
    with moved as (
      update order_payments set ${earlier('created_at', 'ended_at', 'poll_at', 'polled_at')}
      where integration_id = $1 and status = 'in_process'
      returning id
    )
    select count(*)::integer as count from moved`,
};

export const shiftEarlyResults: Statement = {
  name: 'time-shift.early-results',
  text: `update payment_completions_early set ${earlier('at')} where integration_id = $1`,
};

/** Shifts the host app $1. */
export const shiftHostApp: Statement = {
  name: 'time-shift.host-app',
  text: `update polled_host_apps set ${earlier('backoff_until', 'turn_at')} where client_id = $1`,
};

const isFree = (lease: string): string => `(${lease} is null or ${lease} <= now())`;

/** The work in flight of the integration $1, and when waiting work can begin. Deliveries behind an open circuit also wait for a probe. */
export const upcoming: Statement = {
  name: 'time-shift.upcoming',
  text: `
    select n.what, n.id, n.at, (
      (select count(*) from deliveries where integration_id = $1 and state = 'ready' and lease_until > now())
      + (select count(*) from order_payments where integration_id = $1 and status = 'in_process' and poll_lease_until > now())
    )::integer as in_flight
    from (select 1) as always left join lateral (
      (
        select 'delivery' as what, d.id,
          greatest(d.due_at, case when l.circuit_open and d.parked_by is null and not d.by_operator then l.probe_at end) as at
        from deliveries d left join endpoint_queues l on l.queue = d.queue
        where d.integration_id = $1 and d.state = 'ready' and d.head and ${isFree('d.lease_until')}
        order by at limit 1
      )
      union all
      (
        select 'payment', p.id, greatest(p.poll_at, h.backoff_until, h.turn_at) as at
        from order_payments p left join polled_host_apps h on h.client_id = p.polled_host_app
        where p.integration_id = $1 and p.status = 'in_process' and p.order_payment_id is not null and p.poll_at is not null
          and ${isFree('p.poll_lease_until')}
        order by at limit 1
      )
      order by at limit 1
    ) n on true`,
};
