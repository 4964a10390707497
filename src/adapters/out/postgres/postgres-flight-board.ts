import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import { Unavailable } from '../../../domain/shared/errors';
import { requireIds } from '../../../domain/shared/required-id';
import { Secret } from '../../../domain/shared/secret';
import type { FlightBoard, FlightFailure, FlightKey, FlightState } from '../../../domain/shared/single-flight';
import type { FlightRow } from './flight.schema';
import { pruneExpired, pruneStatement } from './prune-expired';
import type { ReferenceIndex } from './reference-index';
import { openText, sealText } from './sealed-text';
import { run, type Statement } from './statement';

/** How long a run that never ended, or a failure, stays to be looked at by those who wait for it. */
const remembered = `interval '60 s'`;

/** A value that is good, or a run whose lease holds: the work is not free to be claimed. */
const isTaken = `(flights.state = 'landed' and flights.expires_at > now() or flights.state = 'running' and flights.lease_until > now())`;

const claim: Statement = {
  name: 'flights.claim',
  // A look first, so that a landed value is read without a lock; the upsert alone decides who claims.
  text: `
    with taken as (
      select state, lease, value from flights where purpose = $1 and key_digest = $2 and ${isTaken}
    ), claimed as (
      insert into flights (purpose, key_digest, lease, lease_until, state, expires_at)
      select $1, $2, $3, now() + $4 * interval '1 ms', 'running', now() + $4 * interval '1 ms' + ${remembered}
      where not exists (select from taken)
      on conflict (purpose, key_digest) do update set
        lease = excluded.lease,
        lease_until = excluded.lease_until,
        state = 'running',
        value = null,
        failure = null,
        expires_at = excluded.expires_at
      where not ${isTaken}
      returning lease
    )
    select 'claimed' as state, lease, null::bytea as value from claimed
    union all
    select state, lease, value from taken`,
};

const look: Statement = {
  name: 'flights.look',
  text: `
    select state, lease, value, failure from flights
    where purpose = $1 and key_digest = $2 and (${isTaken} or state = 'failed' and expires_at > now())`,
};

const land: Statement = {
  name: 'flights.land',
  text: `
    update flights set state = 'landed', value = $4, expires_at = now() + $5 * interval '1 ms'
    where purpose = $1 and key_digest = $2 and lease = $3 and state = 'running'
    returning lease`,
};

const fail: Statement = {
  name: 'flights.fail',
  text: `
    update flights set state = 'failed', failure = $4, expires_at = now() + ${remembered}
    where purpose = $1 and key_digest = $2 and lease = $3 and state = 'running'`,
};

const drop: Statement = {
  name: 'flights.drop',
  text: `delete from flights where purpose = $1 and key_digest = $2 and lease = $3 and state = 'landed'`,
};

const prune = pruneStatement('flights', 'expires_at', 'expires_at <= now()');

/** Tries to see a row that others keep changing; each look is newer than the one before, so the second nearly always tells. */
const looksAtMost = 10;

/** Shared work in Postgres. Times are the database's; keys are kept as keyed digests, values sealed. */
export class PostgresFlightBoard implements FlightBoard {
  constructor(private readonly deps: { db: DataSource; box: SecretBox; index: ReferenceIndex }) {}

  async claim(key: FlightKey, leaseMs: number): Promise<FlightState> {
    const row = this.rowOf(key);
    const lease = randomUUID();
    for (let i = 0; i < looksAtMost; i++) {
      const [found] = await run<StateRow>(this.deps.db, claim, [...row, lease, leaseMs]);
      if (found) return this.stateFrom(found, row);
    }
    throw new Unavailable('database-busy');
  }

  async look(key: FlightKey): Promise<FlightState | undefined> {
    const row = this.rowOf(key);
    const [found] = await run<StateRow>(this.deps.db, look, row);
    return found && this.stateFrom(found, row);
  }

  async land(key: FlightKey, lease: string, value: Secret, ttlMs: number): Promise<boolean> {
    requireIds({ lease });
    const row = this.rowOf(key);
    const sealed = sealText(this.deps.box, value.reveal(), flightPlace(row));
    return (await run(this.deps.db, land, [...row, lease, sealed, ttlMs])).length === 1;
  }

  async fail(key: FlightKey, lease: string, failure: FlightFailure): Promise<void> {
    requireIds({ lease });
    await run(this.deps.db, fail, [...this.rowOf(key), lease, JSON.stringify(failure)]);
  }

  async drop(key: FlightKey, value: Secret): Promise<void> {
    const row = this.rowOf(key);
    const [found] = await run<StateRow>(this.deps.db, look, row);
    if (!found?.value || openText(this.deps.box, found.value, flightPlace(row)) !== value.reveal()) return;
    // By the lease of the run that brought it: a newer value of another run stays.
    await run(this.deps.db, drop, [...row, found.lease]);
  }

  /** Removes what has expired; resolves to the number of rows. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }

  private rowOf({ purpose, key }: FlightKey): RowKey {
    requireIds({ purpose, key });
    return [purpose, this.deps.index.digest('flight', purpose, key)];
  }

  private stateFrom({ state, lease, value, failure }: StateRow, row: RowKey): FlightState {
    if (state === 'landed' && value) return { state, value: new Secret(openText(this.deps.box, value, flightPlace(row))) };
    if (state === 'failed' && failure) return { state, lease, failure };
    if (state === 'claimed' || state === 'running') return { state, lease };
    throw new Error(`A flight is ${state}, but without what it brought`);
  }
}

type RowKey = [purpose: string, digest: Buffer];
type StateRow = Pick<FlightRow, 'lease' | 'value'> & { state: FlightRow['state'] | 'claimed'; failure?: FlightRow['failure'] };

/** Where the value of a flight is sealed. */
export const flightPlace = ([purpose, digest]: RowKey): string => `flights.value:${purpose}/${digest.toString('hex')}`;
