import type { Statement } from '../connection/statement';

const columns = 'id, filter, per_second, state, count, fed_to, fed_at, created_at, ended_at';

export const insert: Statement = {
  name: 'resends.insert',
  text: `
    insert into resends (id, filter, per_second, state, count, fed_to, fed_at, created_at)
    values ($1, $2, $3, 'running', 0, 0, 'epoch', now())`,
};

export const setCount: Statement = {
  name: 'resends.set-count',
  text: `
    update resends set count = $2, state = case when $2 = 0 then 'done' else state end, ended_at = case when $2 = 0 then created_at end
    where id = $1 returning ${columns}`,
};

export const list = { select: `select ${columns} from resends`, end: 'order by created_at desc, id desc limit ?' };
export const listConditions = { after: '(created_at, id) < (select r.created_at, r.id from resends r where r.id = ?)' } as const;

export const find: Statement = { name: 'resends.find', text: `select ${columns} from resends where id = $1` };
export const lock: Statement = { name: 'resends.lock', text: `${find.text} for update` };

/**
 * The attempt number tells new attempts from earlier ones. A delivery that was delivered before its turn stays delivered; one that was
 * deleted since is not counted.
 */
export const progress: Statement = {
  name: 'resends.progress',
  text: `
    select
      count(*) filter (where not delivered and not failed)::integer as waiting,
      count(*) filter (where delivered)::integer as delivered,
      count(*) filter (where failed)::integer as failed
    from (
      select
        d.state = 'delivered' and case when i.attempts_before is null then i.state_before <> 'delivered' else d.attempts > i.attempts_before end as delivered,
        d.state <> 'delivered' and d.attempts > coalesce(i.attempts_before, d.attempts) as failed
      from resend_items i join deliveries d on d.id = i.delivery_id where i.resend_id = $1
    ) item`,
};

/** A batch whose next step is due, taken by one instance at a time. $1: milliseconds between two steps. */
export const turn: Statement = {
  name: 'resends.turn',
  text: `
    select ${columns} from resends where state = 'running' and fed_at <= now() - $1 * interval '1 ms'
    order by fed_at limit 1 for update skip locked`,
};

/** The next deliveries of a batch, oldest first. */
export const nextItems: Statement = {
  name: 'resends.next-items',
  text: `
    select i.seq, i.delivery_id, d.key from resend_items i left join deliveries d on d.id = i.delivery_id
    where i.resend_id = $1 and i.seq > $2 order by i.seq limit $3`,
};

export const goOn: Statement = {
  name: 'resends.go-on',
  text: `
    update resends set fed_to = $2, fed_at = now(), state = case when $3::boolean then 'done' else state end,
      ended_at = case when $3::boolean then now() end
    where id = $1`,
};

/** Waits for its next attempt, not for a setting. */
const waits = `deliveries.state = 'ready' and deliveries.parked_by is null`;

/**
 * Queues the deliveries $2 of the batch $1 again, except those delivered since the batch began. A delivery that the operator already resent
 * waits for that attempt. A pending delivery continues its schedule afterwards; an ended one starts again. Claims stay.
 */
export const requeue: Statement = {
  name: 'resends.requeue',
  text: `
    with held as (
      select d.* from deliveries d join resend_items i on i.resend_id = $1 and i.seq = d.seq
      where d.id = any ($2::text[]) and (d.state <> 'delivered' or i.state_before = 'delivered')
      for update of d
    ),
    kept as (
      update resend_items i set parked_before = held.parked_by, due_before = held.due_at, ended_before = held.ended_at,
        resent_before = held.resent_at, tries_before = held.tries, attempts_before = held.attempts, state_before = held.state
      from held where i.resend_id = $1 and i.seq = held.seq
    )
    update deliveries set state = 'ready', by_operator = true, due_at = now(), parked_by = null, ended_at = null, resend_id = $1, aborted_reason = null,
      resume_at = case when ${waits} then deliveries.due_at end,
      resent_at = case when ${waits} then deliveries.resent_at else now() end,
      tries = case when ${waits} then deliveries.tries else 0 end,
      head = deliveries.key = deliveries.id or (deliveries.state = 'ready' and deliveries.head)
        or not exists (select from deliveries e where e.key = deliveries.key and e.state = 'ready')
    from held where deliveries.id = held.id and not held.by_operator
    returning deliveries.id`,
};

export const cancel: Statement = {
  name: 'resends.cancel',
  text: `update resends set state = 'cancelled', ended_at = coalesce(ended_at, now()) where id = $1`,
};

/** At most $2 deliveries that the batch queued and no attempt has claimed, with their keys. */
export const unattempted: Statement = {
  name: 'resends.unattempted',
  text: `
    select id, key from deliveries where resend_id = $1 and state = 'ready' and (lease_until is null or lease_until <= now())
    order by key limit $2`,
};

/** Restores the deliveries $2 to their state before the batch $1 queued them. */
export const restore: Statement = {
  name: 'resends.restore',
  text: `
    update deliveries d set state = i.state_before, parked_by = i.parked_before, due_at = i.due_before, ended_at = i.ended_before,
      resent_at = i.resent_before, tries = i.tries_before, by_operator = false, resume_at = null, resend_id = null
    from resend_items i
    where i.resend_id = $1 and i.seq = d.seq and d.id = any ($2::text[]) and d.resend_id = $1 and d.state = 'ready'
      and (d.lease_until is null or d.lease_until <= now())
    returning d.id`,
};
