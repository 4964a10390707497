import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import { Unavailable } from '../../../domain/shared/errors';
import { requireIds } from '../../../domain/shared/required-id';
import { Secret } from '../../../domain/shared/secret';
import type { FlightBoard, FlightFailure, FlightKey, FlightState } from '../../../domain/shared/single-flight';
import { columnParameters } from './array-parameters';
import { claimFlights, dropFlight, failFlight, landFlights, lookAtFlight } from './flight-statements';
import type { FlightRow } from './flight.schema';
import { GroupedStatements } from './grouped-statements';
import { pruneExpired, pruneStatement } from './prune-expired';
import type { ReferenceIndex } from './reference-index';
import { openText, sealText } from './sealed-text';
import { run } from './statement';

const prune = pruneStatement('flights', 'expires_at', 'expires_at <= now()');

/** Tries to see a row that others keep changing; each look is newer than the one before, so the second nearly always tells. */
const looksAtMost = 10;
/** Works that one statement claims or lands at most. */
const maxGroupSize = 64;

/** Shared work in Postgres. Times are the database's; keys are kept as keyed digests, values sealed. */
export class PostgresFlightBoard implements FlightBoard {
  private readonly claims = new GroupedStatements<Claim, StateRow | undefined>({
    most: maxGroupSize,
    run: (claims) => this.claimAll(claims),
    nameOf: ({ row }) => nameOf(row),
  });
  private readonly landings = new GroupedStatements<Landing, boolean>({
    most: maxGroupSize,
    run: (landings) => this.landAll(landings),
    nameOf: ({ row }) => nameOf(row),
  });

  constructor(private readonly deps: { db: DataSource; box: SecretBox; index: ReferenceIndex }) {}

  async claim(key: FlightKey, leaseMs: number): Promise<FlightState> {
    const row = this.rowOf(key);
    const lease = randomUUID();
    for (let i = 0; i < looksAtMost; i++) {
      const found = await this.claims.add({ row, lease, leaseMs });
      if (found) return this.stateFrom(found, row);
    }
    throw new Unavailable('database-busy');
  }

  async look(key: FlightKey): Promise<FlightState | undefined> {
    const row = this.rowOf(key);
    const [found] = await run<StateRow>(this.deps.db, lookAtFlight, row);
    return found && this.stateFrom(found, row);
  }

  async land(key: FlightKey, lease: string, value: Secret, ttlMs: number): Promise<boolean> {
    requireIds({ lease });
    const row = this.rowOf(key);
    return this.landings.add({ row, lease, ttlMs, sealed: sealText(this.deps.box, value.reveal(), flightPlace(row)) });
  }

  async fail(key: FlightKey, lease: string, failure: FlightFailure): Promise<void> {
    requireIds({ lease });
    await run(this.deps.db, failFlight, [...this.rowOf(key), lease, JSON.stringify(failure)]);
  }

  async drop(key: FlightKey, value: Secret): Promise<void> {
    const row = this.rowOf(key);
    const [found] = await run<StateRow>(this.deps.db, lookAtFlight, row);
    if (!found?.value || openText(this.deps.box, found.value, flightPlace(row)) !== value.reveal()) return;
    // By the lease of the run that brought it: a newer value of another run stays.
    await run(this.deps.db, dropFlight, [...row, found.lease]);
  }

  /** Removes what has expired; resolves to the number of rows. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }

  /** The found state of each; `undefined`: another one claimed or ended it at the same moment. */
  private async claimAll(claims: readonly Claim[]): Promise<(StateRow | undefined)[]> {
    const rows = claims.map(({ row, lease, leaseMs }) => [...row, lease, leaseMs]);
    const columns = columnParameters(['text', 'bytea', 'text', 'integer'], rows);
    const found = await run<KeyedRow & StateRow>(this.deps.db, claimFlights, columns);
    const byName = new Map(found.map((one) => [nameOfRow(one), one]));
    return claims.map(({ row }) => byName.get(nameOf(row)));
  }

  /** Whether each run was still the one that holds the lease. */
  private async landAll(landings: readonly Landing[]): Promise<boolean[]> {
    const rows = landings.map(({ row, lease, sealed, ttlMs }) => [...row, lease, sealed, ttlMs]);
    const columns = columnParameters(['text', 'bytea', 'text', 'bytea', 'integer'], rows);
    const landed = new Set((await run<KeyedRow>(this.deps.db, landFlights, columns)).map(nameOfRow));
    return landings.map(({ row }) => landed.has(nameOf(row)));
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
type KeyedRow = Pick<FlightRow, 'purpose' | 'key_digest'>;
type StateRow = Pick<FlightRow, 'lease' | 'value'> & { state: FlightRow['state'] | 'claimed'; failure?: FlightRow['failure'] };

interface Claim {
  readonly row: RowKey;
  readonly lease: string;
  readonly leaseMs: number;
}

interface Landing {
  readonly row: RowKey;
  readonly lease: string;
  readonly sealed: Buffer;
  readonly ttlMs: number;
}

const nameOf = ([purpose, digest]: RowKey): string => `${purpose}/${digest.toString('hex')}`;
const nameOfRow = ({ purpose, key_digest }: KeyedRow): string => nameOf([purpose, key_digest]);

/** Where the value of a flight is sealed. */
export const flightPlace = (row: RowKey): string => `flights.value:${nameOf(row)}`;
