import type { CallTime } from '../../exchanges/call-time';
import { refusal } from '../errors';
import { packFailure, unpackFailure } from './shared-task-failure';
import type { Clock } from '../ports';
import type { Secret } from '../secret';
import type { SharedTaskStore, SharedTaskKey } from './single-flight';

/** How long a run may hold its claim, and until when a caller waits for it. */
export interface SharedTaskLimits {
  /** Longer than the deadline of the work, so that an active run never loses its claim. */
  readonly leaseMs: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Time accounting of the waiting call. Absent when no caller waits for an answer. */
  readonly time?: CallTime | undefined;
}

interface Running {
  readonly sharedTask: Promise<Secret>;
  readonly time: CallTime | undefined;
}

/** The result of a run, and its lifetime. */
export interface SharedResult {
  readonly value: Secret;
  readonly ttlMs: number;
}

/** First and maximum wait between polls of another run, in milliseconds. Starts short, as most partners answer within 100 ms. */
const firstPauseMs = 5;
const longestPauseMs = 100;

/**
 * Runs work once for all concurrent callers, in this process and over all instances: the first to claim it runs it, the others get its
 * value or its failure. A failure is shared only with the callers that wait for that run, not with later ones.
 */
export class SharedTasks {
  private readonly inProcess = new Map<string, Running>();

  constructor(private readonly deps: { store: SharedTaskStore; clock: Clock; pause: (ms: number) => Promise<void> }) {}

  run(key: SharedTaskKey, limits: SharedTaskLimits, work: () => Promise<SharedResult>): Promise<Secret> {
    const name = `${key.purpose} ${key.key}`;
    const running = this.inProcess.get(name);
    const { time } = limits;
    if (running) return time && running.time ? time.follow(running.time, running.sharedTask) : running.sharedTask;
    const sharedTask = this.fly(key, limits, work).finally(() => this.inProcess.delete(name));
    this.inProcess.set(name, { sharedTask, time });
    return sharedTask;
  }

  private async fly(key: SharedTaskKey, limits: SharedTaskLimits, work: () => Promise<SharedResult>): Promise<Secret> {
    for (;;) {
      const found = await this.deps.store.claim(key, limits.leaseMs);
      if (found.state === 'completed') return found.value;
      if (found.state === 'claimed') return this.lead(key, found.lease, work);
      const completed = found.state === 'running' ? await this.follow(key, found.lease, limits) : undefined;
      if (completed) return completed;
    }
  }

  private async lead(key: SharedTaskKey, lease: string, work: () => Promise<SharedResult>): Promise<Secret> {
    try {
      const { value, ttlMs } = await work();
      await this.deps.store.complete(key, lease, value, ttlMs);
      return value;
    } catch (error) {
      await this.deps.store.fail(key, lease, packFailure(error));
      throw error;
    }
  }

  /** Waits for the run `lease`. Resolves to `undefined` when it will give no value any more, so that the work can be claimed. */
  private async follow(key: SharedTaskKey, lease: string, { leaseMs, deadline, time }: SharedTaskLimits): Promise<Secret | undefined> {
    const { store, clock, pause } = this.deps;
    const givesUpAt = Math.min(deadline, clock.now() + leaseMs);
    for (let wait = firstPauseMs; clock.now() < givesUpAt; wait = Math.min(wait * 2, longestPauseMs)) {
      await (time ? time.besidePartner(() => pause(wait)) : pause(wait));
      const found = await store.find(key);
      if (found?.state === 'completed') return found.value;
      if (found?.state === 'failed' && found.lease === lease) throw unpackFailure(found.failure);
      if (found?.state !== 'running' || found.lease !== lease) return undefined;
    }
    if (clock.now() >= deadline) throw refusal('partner-unreachable', 'UNEXPECTED_RESPONSE_ERROR', { cause: 'timeout', retryable: true });
    return undefined;
  }
}
