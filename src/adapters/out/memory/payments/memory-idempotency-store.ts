import {
  answersKeptMs,
  type IdempotencyStore,
  type IdempotencyState,
  type IdempotentCall,
  type KeptAnswer,
} from '../../../../domain/shared/idempotency';
import type { Clock, IdGenerator } from '../../../../domain/shared/ports';
import { requireIds } from '../../../../domain/shared/required-id';

interface NamedCall {
  readonly body: string;
  readonly lease: string;
  readonly leaseUntil: number;
  readonly expiresAt: number;
  readonly answer?: KeptAnswer;
}

/** Calls with an idempotency key in memory, shared by all users of this object. */
export class MemoryIdempotencyStore implements IdempotencyStore {
  private readonly calls = new Map<string, NamedCall>();

  constructor(private readonly deps: { clock: Clock; ids: IdGenerator }) {}

  async claim(call: IdempotentCall, bodyDigest: Uint8Array, leaseMs: number): Promise<IdempotencyState> {
    const name = nameOf(call);
    const now = this.deps.clock.now();
    const body = bodyDigest.join();
    const present = this.calls.get(name);
    if (present && present.expiresAt > now) {
      if (present.body !== body) return { state: 'mismatch' };
      if (present.answer) return { state: 'finished', answer: present.answer };
      return { state: present.leaseUntil > now ? 'running' : 'died' };
    }
    const lease = this.deps.ids.next();
    this.calls.set(name, { body, lease, leaseUntil: now + leaseMs, expiresAt: now + answersKeptMs });
    return { state: 'claimed', lease };
  }

  async finish(call: IdempotentCall, lease: string, answer: KeptAnswer): Promise<void> {
    const running = this.running(call, lease);
    if (running) this.calls.set(nameOf(call), { ...running, answer, expiresAt: this.deps.clock.now() + answersKeptMs });
  }

  async release(call: IdempotentCall, lease: string): Promise<void> {
    if (this.running(call, lease)) this.calls.delete(nameOf(call));
  }

  /** Removes expired entries; resolves to their number. */
  async prune(): Promise<number> {
    const now = this.deps.clock.now();
    const expired = [...this.calls].filter(([, { expiresAt }]) => expiresAt <= now);
    for (const [name] of expired) this.calls.delete(name);
    return expired.length;
  }

  private running(call: IdempotentCall, lease: string): NamedCall | undefined {
    requireIds({ lease });
    const found = this.calls.get(nameOf(call));
    return found?.lease === lease && !found.answer ? found : undefined;
  }
}

const nameOf = ({ caller, integrationId, path, key }: IdempotentCall): string => {
  requireIds({ caller, integrationId, path, key });
  return JSON.stringify([caller, integrationId, path, key]);
};
