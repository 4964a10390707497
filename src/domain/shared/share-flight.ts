import type { CallTime } from '../exchanges/call-time';
import { refusal } from './errors';
import { packFailure, unpackFailure } from './flight-failure';
import type { Clock } from './ports';
import type { Secret } from './secret';
import type { FlightBoard, FlightKey } from './single-flight';

/** How long a run may hold its claim, and until when a caller waits (both bound the same work). */
export interface FlightLimits {
  /** Longer than the deadline of the work, so that a live run never loses its claim. */
  readonly leaseMs: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Of the call that wants it; absent: nobody waits for an answer. */
  readonly time?: CallTime | undefined;
}

interface Running {
  readonly flight: Promise<Secret>;
  readonly time: CallTime | undefined;
}

/** What a run brings back, and for how long it is good. */
export interface Landing {
  readonly value: Secret;
  readonly ttlMs: number;
}

/** Waits between looks at somebody else's run: short at first, as most partners answer within a tenth of a second. */
const firstPauseMs = 5;
const longestPauseMs = 100;

/**
 * Work that happens once however many ask for it, in this process and over all instances: the first to claim it does it,
 * the others get its value or its failure. A failure is shared with those who wait for that run and with nobody later.
 */
export class SharedFlights {
  private readonly inProcess = new Map<string, Running>();

  constructor(private readonly deps: { board: FlightBoard; clock: Clock; pause: (ms: number) => Promise<void> }) {}

  run(key: FlightKey, limits: FlightLimits, work: () => Promise<Landing>): Promise<Secret> {
    const name = `${key.purpose} ${key.key}`;
    const running = this.inProcess.get(name);
    const { time } = limits;
    if (running) return time && running.time ? time.follow(running.time, running.flight) : running.flight;
    const flight = this.fly(key, limits, work).finally(() => this.inProcess.delete(name));
    this.inProcess.set(name, { flight, time });
    return flight;
  }

  private async fly(key: FlightKey, limits: FlightLimits, work: () => Promise<Landing>): Promise<Secret> {
    for (;;) {
      const found = await this.deps.board.claim(key, limits.leaseMs);
      if (found.state === 'landed') return found.value;
      if (found.state === 'claimed') return this.lead(key, found.lease, work);
      const landed = found.state === 'running' ? await this.follow(key, found.lease, limits) : undefined;
      if (landed) return landed;
    }
  }

  private async lead(key: FlightKey, lease: string, work: () => Promise<Landing>): Promise<Secret> {
    try {
      const { value, ttlMs } = await work();
      await this.deps.board.land(key, lease, value, ttlMs);
      return value;
    } catch (error) {
      await this.deps.board.fail(key, lease, packFailure(error));
      throw error;
    }
  }

  /** Waits for the run `lease`. `undefined`: nothing will come of it any more, the work is free to be claimed. */
  private async follow(key: FlightKey, lease: string, { leaseMs, deadline, time }: FlightLimits): Promise<Secret | undefined> {
    const { board, clock, pause } = this.deps;
    const givesUpAt = Math.min(deadline, clock.now() + leaseMs);
    for (let wait = firstPauseMs; clock.now() < givesUpAt; wait = Math.min(wait * 2, longestPauseMs)) {
      await (time ? time.besidePartner(pause(wait)) : pause(wait));
      const found = await board.look(key);
      if (found?.state === 'landed') return found.value;
      if (found?.state === 'failed' && found.lease === lease) throw unpackFailure(found.failure);
      if (found?.state !== 'running' || found.lease !== lease) return undefined;
    }
    if (clock.now() >= deadline) throw refusal('partner-unreachable', 'UNEXPECTED_RESPONSE_ERROR', { cause: 'timeout', retryable: true });
    return undefined;
  }
}
