import type { Clock, IdSource } from '../../../domain/shared/ports';
import { requireIds } from '../../../domain/shared/required-id';
import type { Secret } from '../../../domain/shared/secret';
import type { FlightBoard, FlightFailure, FlightKey, FlightState } from '../../../domain/shared/single-flight';

interface Flight {
  readonly lease: string;
  readonly state: Exclude<FlightState, { state: 'claimed' }>;
  /** Milliseconds since the epoch: when the lease of a run, a value or a failure ends. */
  readonly until: number;
}

/** How long a failure stays to be looked at by those who wait for it. */
const rememberedMs = 60_000;

/** Shared work in memory: shared by who shares the object. */
export class MemoryFlightBoard implements FlightBoard {
  private readonly flights = new Map<string, Flight>();

  constructor(private readonly deps: { clock: Clock; ids: IdSource }) {}

  async claim(key: FlightKey, leaseMs: number): Promise<FlightState> {
    const present = this.present(key);
    if (present && present.state !== 'failed') return present;
    const lease = this.deps.ids.next();
    this.flights.set(nameOf(key), { lease, state: { state: 'running', lease }, until: this.deps.clock.now() + leaseMs });
    return { state: 'claimed', lease };
  }

  async look(key: FlightKey): Promise<FlightState | undefined> {
    return this.present(key);
  }

  async land(key: FlightKey, lease: string, value: Secret, ttlMs: number): Promise<boolean> {
    return this.end(key, lease, { lease, state: { state: 'landed', value }, until: this.deps.clock.now() + ttlMs });
  }

  async fail(key: FlightKey, lease: string, failure: FlightFailure): Promise<void> {
    this.end(key, lease, { lease, state: { state: 'failed', lease, failure }, until: this.deps.clock.now() + rememberedMs });
  }

  async drop(key: FlightKey, value: Secret): Promise<void> {
    const present = this.present(key);
    if (present?.state === 'landed' && present.value.reveal() === value.reveal()) this.flights.delete(nameOf(key));
  }

  /** Removes what has expired; resolves to the number of removed entries. */
  async prune(): Promise<number> {
    const now = this.deps.clock.now();
    const expired = [...this.flights].filter(([, { until }]) => until <= now);
    for (const [name] of expired) this.flights.delete(name);
    return expired.length;
  }

  private present(key: FlightKey): Flight['state'] | undefined {
    const flight = this.flights.get(nameOf(key));
    return flight && flight.until > this.deps.clock.now() ? flight.state : undefined;
  }

  private end(key: FlightKey, lease: string, ended: Flight): boolean {
    requireIds({ lease });
    const flight = this.flights.get(nameOf(key));
    if (flight?.state.state !== 'running' || flight.lease !== lease) return false;
    this.flights.set(nameOf(key), ended);
    return true;
  }
}

const nameOf = ({ purpose, key }: FlightKey): string => {
  requireIds({ purpose, key });
  return JSON.stringify([purpose, key]);
};
