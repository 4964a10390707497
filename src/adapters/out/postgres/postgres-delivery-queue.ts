import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { Attempt, DueDelivery } from '../../../domain/deliveries/delivery';
import type { Claim, DeliveryQueue } from '../../../domain/deliveries/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { bodyPlace, owedFrom, type DeliveryRow } from './delivery.schema';
import { run, type Statement } from './statement';

const claimDue: Statement = {
  name: 'deliveries.claim',
  // Who waits behind an older one of its key is not due, claimed or not. A row that another claim holds is passed over.
  text: `
    with due as (
      select d.id from deliveries d
      where d.state = 'ready' and d.due_at <= now() and (d.lease_until is null or d.lease_until <= now())
        and not exists (select from deliveries e where e.key = d.key and e.seq < d.seq and e.state = 'ready')
      order by d.due_at, d.seq limit $1 for update of d skip locked
    )
    update deliveries set lease = $2, lease_until = now() + $3 * interval '1 ms'
    from due where deliveries.id = due.id
    returning deliveries.id, integration_id, kind, receiver, body, tries, coalesce(resent_at, created_at) as owed_since`,
};

/** Ends a claim with its attempt, in one statement: $3 is the state, $4 when it is due again. */
const endAttempt: Statement = {
  name: 'deliveries.end-attempt',
  text: `
    with held as (
      update deliveries set state = $3::text, due_at = coalesce($4::timestamptz, due_at), attempts = attempts + 1, tries = tries + 1,
        lease = null, lease_until = null, parked_by = null, ended_at = case when $3::text = 'ready' then null else now() end
      where id = $1 and lease = $2 and state = 'ready'
      returning id, attempts
    )
    insert into delivery_attempts (delivery_id, number, at, ms, status, error_code, cause)
    select id, attempts, $5, $6, $7, $8, $9 from held returning number`,
};

const park: Statement = {
  name: 'deliveries.park',
  text: `
    update deliveries set parked_by = $3, due_at = $4, lease = null, lease_until = null
    where id = $1 and lease = $2 and state = 'ready'
    returning id`,
};

/** After how long what cannot be read is looked at again, in milliseconds. */
const unreadableForMs = 3_600_000;

type DueRow = Pick<DeliveryRow, 'id' | 'integration_id' | 'kind' | 'receiver' | 'body' | 'tries'> & { owed_since: Date };

/** What is owed, in Postgres. Claims last by the database's clock; no transaction or connection is held between the calls. */
export class PostgresDeliveryQueue implements DeliveryQueue {
  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretBox }) {}

  async claimDue({ limit, leaseMs }: { limit: number; leaseMs: number }): Promise<readonly DueDelivery[]> {
    const lease = randomUUID();
    const rows = await run<DueRow>(this.deps.db, claimDue, [limit, lease, leaseMs]);
    const due: DueDelivery[] = [];
    for (const row of rows) {
      const delivery = this.dueFrom(row, lease);
      if (delivery) due.push(delivery);
      else await this.park({ id: row.id, lease }, 'DATA_INTEGRITY_ERROR', Date.now() + unreadableForMs);
    }
    return due;
  }

  delivered(claim: Claim, attempt: Attempt): Promise<boolean> {
    return this.end(claim, attempt, { state: 'delivered' });
  }

  retry(claim: Claim, attempt: Attempt, dueAt: number): Promise<boolean> {
    return this.end(claim, attempt, { state: 'ready', dueAt });
  }

  giveUp(claim: Claim, attempt: Attempt): Promise<boolean> {
    return this.end(claim, attempt, { state: 'failed' });
  }

  async park({ id, lease }: Claim, code: string, dueAt: number): Promise<boolean> {
    requireIds({ id, lease });
    return (await run(this.deps.db, park, [id, lease, code, new Date(dueAt)])).length === 1;
  }

  private async end({ id, lease }: Claim, attempt: Attempt, to: { state: DeliveryRow['state']; dueAt?: number }): Promise<boolean> {
    requireIds({ id, lease });
    const { at, ms, status = null, errorCode = null, cause = null } = attempt;
    const dueAt = to.dueAt === undefined ? null : new Date(to.dueAt);
    const values = [id, lease, to.state, dueAt, new Date(at), Math.round(ms), status, errorCode, cause];
    return (await run(this.deps.db, endAttempt, values)).length === 1;
  }

  /** `undefined`: it cannot be read, as when the key that sealed it is not there. That one must not stop the others. */
  private dueFrom(row: DueRow, lease: string): DueDelivery | undefined {
    const { id, integration_id: integrationId, tries, owed_since: owedSince } = row;
    try {
      const owed = owedFrom(row, this.deps.box.open(row.body, bodyPlace(id)));
      return { id, integrationId, owed, owedSince: owedSince.getTime(), tries, lease };
    } catch {
      return undefined;
    }
  }
}
