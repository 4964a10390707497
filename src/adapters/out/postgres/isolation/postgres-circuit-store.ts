import type { DataSource } from 'typeorm';
import type { CircuitStore, CircuitName, SharedCircuit } from '../../../../domain/isolation/circuit-store';
import type { CircuitChange } from '../../../../domain/isolation/endpoint';
import { run, type Statement } from '../connection/statement';
import type { PartnerCircuitRow } from './partner-circuit.schema';

const open: Statement = {
  name: 'circuits.open',
  text: `
    insert into partner_circuits (side, partner_id, step, integration_id, open_until, opened_by)
    values ($1, $2, $3, $4, now() + $5 * interval '1 millisecond', $6)
    on conflict (side, partner_id, step, integration_id)
    do update set open_until = greatest(partner_circuits.open_until, excluded.open_until), opened_by = excluded.opened_by`,
};
const close: Statement = {
  name: 'circuits.close',
  text: `delete from partner_circuits where side = $1 and partner_id = $2 and step = $3 and integration_id = $4`,
};
/**
 * Of several concurrent callers, one claims the trial. The others wait for the row lock, still see the row of before, and wait for $5
 * milliseconds.
 */
const claimTrial: Statement = {
  name: 'circuits.claim-trial',
  text: `
    with claimed as (
      update partner_circuits set open_until = now() + $5 * interval '1 millisecond', opened_by = $6
      where side = $1 and partner_id = $2 and step = $3 and integration_id = $4 and open_until <= now()
      returning 1
    )
    select case when exists (select from claimed) then 0 when open_until <= now() then $5
      else (extract(epoch from open_until - now()) * 1000)::float8 end as wait_ms
    from partner_circuits where side = $1 and partner_id = $2 and step = $3 and integration_id = $4`,
};
const read: Statement = {
  name: 'circuits.read',
  text: `
    select side, partner_id, step, integration_id, opened_by, (extract(epoch from open_until - now()) * 1000)::float8 as open_ms
    from partner_circuits`,
};
const forget: Statement = {
  name: 'circuits.forget',
  text: `delete from partner_circuits where open_until < now() - interval '10 minutes'`,
};

type Row = Omit<PartnerCircuitRow, 'open_until'> & { open_ms: number };

/** CircuitStore in Postgres, by the database's clock. */
export class PostgresCircuitStore implements CircuitStore {
  constructor(private readonly deps: { readonly db: DataSource; readonly processId: string }) {}

  async note({ side, partnerId, step, integrationId = '', openMs }: CircuitChange): Promise<void> {
    const { db, processId } = this.deps;
    const key = [side, partnerId, step, integrationId];
    if (openMs === undefined) await run(db, close, key);
    else await run(db, open, [...key, openMs, processId]);
  }

  async claimTrial({ side, partnerId, step, integrationId = '' }: CircuitName, forMs: number): Promise<number> {
    const { db, processId } = this.deps;
    const rows = await run<{ wait_ms: number }>(db, claimTrial, [side, partnerId, step, integrationId, forMs, processId]);
    return rows[0]?.wait_ms ?? 0;
  }

  async read(): Promise<readonly SharedCircuit[]> {
    const rows = await run<Row>(this.deps.db, read, []);
    return rows.map(({ side, partner_id: partnerId, step, integration_id, opened_by, open_ms }) => ({
      side,
      partnerId,
      step,
      integrationId: integration_id === '' ? undefined : integration_id,
      openMs: open_ms,
      isOwn: opened_by === this.deps.processId,
    }));
  }

  async forgetOld(): Promise<void> {
    await run(this.deps.db, forget, []);
  }
}
