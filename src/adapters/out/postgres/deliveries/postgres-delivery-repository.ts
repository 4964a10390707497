import type { DataSource, EntityManager } from 'typeorm';
import {
  attemptsShown,
  type Attempt,
  type DeliveryHistory,
  type DeliveryRecord,
  type DeliveryState,
} from '../../../../domain/deliveries/delivery';
import type { AbortOutcome, DeliveryAbort, DeliveryRepository, DeliveryFilter } from '../../../../domain/deliveries/ports';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit/audit-statement';
import { isInState, stateShown, type AttemptRow, type DeliveryRow } from './delivery.schema';
import { keyOf, lockKey, promoteNext } from './delivery-statements';
import { byIntegrations, filteredStatement, ofIntegrations, type Conditions } from '../connection/filtered-statement';
import { run, runIn, transaction, type Statement } from '../connection/statement';

const select = `
  select d.id, d.integration_id, d.kind, d.receiver, d.queue, ${stateShown} as state, d.parked_by, d.attempts, d.due_at, d.created_at, d.resent_at,
    d.ended_at, d.tries, d.aborted_reason, i.client_id, i.app_id, a.at as last_at, a.status as last_status, a.error_code as last_error, a.cause as last_cause
  from deliveries d left join integrations i on i.id = d.integration_id
  left join delivery_attempts a on a.delivery_id = d.id and a.number = d.attempts`;

type ListFilter = NonNullable<Awaited<ReturnType<typeof byIntegrations<DeliveryFilter>>>> & { readonly after?: string };

const conditions: Conditions<ListFilter> = {
  ...ofIntegrations('d.integration_id'),
  id: 'd.id = ?',
  kind: 'd.kind = ?',
  state: isInState,
  queue: 'd.queue = ?',
  from: 'd.created_at >= to_timestamp(?::double precision / 1000)',
  to: 'd.created_at < to_timestamp(?::double precision / 1000)',
  after: '(d.created_at, d.seq) < (select created_at, seq from deliveries where id = ?)',
};

/** Current and removed integrations of a partner. */
const everOf = (column: 'client_id' | 'app_id'): Statement => ({
  name: `deliveries.integrations-by-${column}`,
  text: `select id from integrations where ${column} = $1 union all select id from removed_integrations where ${column} = $1`,
});

const find: Statement = { name: 'deliveries.find', text: `${select} where d.id = $1` };
const lock: Statement = { name: 'deliveries.lock', text: `${find.text} for update of d` };

const attemptsOf: Statement = {
  name: 'deliveries.attempts',
  text: 'select reason, at, ms, status, error_code, cause from delivery_attempts where delivery_id = $1 order by number desc limit $2',
};

/** Waits for its next attempt, not for a setting. */
const waits = `state = 'ready' and parked_by is null`;

const resend: Statement = {
  name: 'deliveries.resend',
  // A pending delivery continues its schedule after the resend; an ended one starts again. The claim of an attempt in flight stays, because
  // that attempt counts as the requested one.
  text: `
    update deliveries d set state = 'ready', by_operator = true, due_at = now(), parked_by = null, ended_at = null, resend_id = null, aborted_reason = null,
      resume_at = case when ${waits} then coalesce(resume_at, due_at) end,
      resent_at = case when ${waits} then resent_at else now() end,
      tries = case when ${waits} then tries else 0 end,
      head = key = id or (state = 'ready' and head) or not exists (select from deliveries e where e.key = d.key and e.state = 'ready')
    where id = $1`,
};

const isInFlight: Statement = { name: 'deliveries.is-in-flight', text: 'select from deliveries where id = $1 and lease_until > now()' };

const abort: Statement = {
  name: 'deliveries.abort',
  text: `
    update deliveries set state = 'failed', ended_at = now(), aborted_reason = $2, parked_by = null, by_operator = false, resume_at = null,
      resend_id = null, lease = null, lease_until = null
    where id = $1`,
};

type RecordRow = Omit<DeliveryRow, 'state' | 'seq' | 'key' | 'body' | 'lease' | 'lease_until'> & {
  state: DeliveryState;
  last_at: Date | null;
  last_status: number | null;
  last_error: string | null;
  last_cause: string | null;
  client_id: string | null;
  app_id: string | null;
};

/** The deliveries that the operator sees, in Postgres. */
export class PostgresDeliveryRepository implements DeliveryRepository {
  constructor(private readonly db: DataSource) {}

  async list(filter: DeliveryFilter, { limit, after }: PageRequest): Promise<readonly DeliveryRecord[]> {
    const wanted = filter.queue === undefined ? await byIntegrations(this.db, filter) : await this.inQueue(filter, filter.queue);
    if (!wanted) return [];
    const list = { select, end: 'order by d.created_at desc, d.seq desc limit ?' };
    const { statement, values } = filteredStatement(list, conditions, { ...wanted, ...(after !== undefined && { after }) });
    return (await run<RecordRow>(this.db, statement, [...values, limit])).map(recordFrom);
  }

  /** No index finds ended deliveries by queue, so the search uses all current and removed integrations of the queue's partner. */
  private async inQueue(filter: DeliveryFilter, queue: string): Promise<Omit<ListFilter, 'after'> | undefined> {
    const [, receiver, partnerId] = /^(hostapp|miniapp):([A-Za-z0-9_-]{1,64}):/.exec(queue) ?? [];
    if (partnerId === undefined) return byIntegrations(this.db, filter);
    const { clientId, appId } = filter;
    const [side, wantedId] = receiver === 'hostapp' ? (['clientId', clientId] as const) : (['appId', appId] as const);
    if (wantedId !== undefined && wantedId !== partnerId) return undefined;
    if (clientId !== undefined || appId !== undefined) return byIntegrations(this.db, { ...filter, [side]: partnerId });
    const found = await run<{ id: string }>(this.db, everOf(receiver === 'hostapp' ? 'client_id' : 'app_id'), [partnerId]);
    return found.length === 0 ? undefined : { ...filter, integrationIds: found.map(({ id }) => id) };
  }

  async find(id: string): Promise<DeliveryHistory | undefined> {
    requireIds({ id });
    const [row] = await run<RecordRow>(this.db, find, [id]);
    if (!row) return undefined;
    const attempts = await run<AttemptRow>(this.db, attemptsOf, [id, attemptsShown]);
    return { ...recordFrom(row), tries: row.tries, attempts: attempts.reverse().map(attemptFrom) };
  }

  async resend(id: string, audit: (before: DeliveryRecord) => AuditEntry): Promise<DeliveryRecord | undefined> {
    requireIds({ id });
    return transaction(this.db, async (manager) => {
      const { before } = await locked(manager, id);
      if (!before) return undefined;
      await runIn(manager, resend, [id]);
      await appendAudit(manager, audit(recordFrom(before)));
      const [resent] = await runIn<RecordRow>(manager, find, [id]);
      return resent && recordFrom(resent);
    });
  }

  async abort(id: string, { reason }: DeliveryAbort, audit: (before: DeliveryRecord) => AuditEntry): Promise<AbortOutcome | undefined> {
    requireIds({ id });
    return transaction(this.db, async (manager) => {
      const { before, key } = await locked(manager, id);
      if (!before) return undefined;
      if (before.state === 'delivered' || before.state === 'failed') return 'ended';
      if ((await runIn(manager, isInFlight, [id])).length > 0) return 'in-flight';
      await runIn(manager, abort, [id, reason]);
      if (key !== id) await runIn(manager, promoteNext, [key]);
      await appendAudit(manager, audit(recordFrom(before)));
      const [aborted] = await runIn<RecordRow>(manager, find, [id]);
      return aborted && recordFrom(aborted);
    });
  }
}

/** Locks the key, then the delivery. All code locks them in this order, which prevents deadlocks. */
async function locked(manager: EntityManager, id: string): Promise<{ before: RecordRow | undefined; key: string }> {
  const [row] = await runIn<Pick<DeliveryRow, 'key'>>(manager, keyOf, [id]);
  if (row && row.key !== id) await runIn(manager, lockKey, [row.key]);
  const [before] = await runIn<RecordRow>(manager, lock, [id]);
  return { before, key: row?.key ?? id };
}

const recordFrom = (row: RecordRow): DeliveryRecord => ({
  id: row.id,
  integrationId: row.integration_id,
  pair: row.client_id === null || row.app_id === null ? undefined : { clientId: row.client_id, appId: row.app_id },
  kind: row.kind,
  receiver: row.receiver,
  queue: row.queue,
  state: row.state,
  parkedBy: row.parked_by ?? undefined,
  attemptCount: row.attempts,
  dueAt: row.state === 'ready' || row.state === 'parked' ? row.due_at.getTime() : undefined,
  createdAt: row.created_at.getTime(),
  endedAt: row.ended_at?.getTime(),
  resentAt: row.resent_at?.getTime(),
  last: lastFrom(row),
  abortedReason: row.aborted_reason ?? undefined,
});

const lastFrom = ({ last_at: at, last_status: status, last_error: errorCode, last_cause: cause }: RecordRow): DeliveryRecord['last'] =>
  at === null ? undefined : { at: at.getTime(), status: status ?? undefined, errorCode: errorCode ?? undefined, cause: cause ?? undefined };

const attemptFrom = ({ reason, at, ms, status, error_code: errorCode, cause }: AttemptRow): Attempt => ({
  reason,
  at: at.getTime(),
  ms,
  status: status ?? undefined,
  errorCode: errorCode ?? undefined,
  cause: cause ?? undefined,
});
