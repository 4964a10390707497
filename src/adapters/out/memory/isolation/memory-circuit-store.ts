import type { CircuitStore, CircuitName, SharedCircuit } from '../../../../domain/isolation/circuit-store';
import type { CircuitChange } from '../../../../domain/isolation/endpoint';
import type { Clock } from '../../../../domain/shared/ports';

type Kept = CircuitChange & { readonly until: number; readonly by: string };

/** CircuitStore in memory. Instances with the same `kept` simulate several processes. */
export class MemoryCircuitStore implements CircuitStore {
  constructor(private readonly deps: { readonly clock: Clock; readonly processId: string; readonly kept: Map<string, Kept> }) {}

  async note(change: CircuitChange): Promise<void> {
    const { clock, processId, kept } = this.deps;
    const { openMs } = change;
    const key = keyOf(change);
    if (openMs === undefined) kept.delete(key);
    else kept.set(key, { ...change, until: Math.max(kept.get(key)?.until ?? 0, clock.now() + openMs), by: processId });
  }

  async claimTrial(circuit: CircuitName, forMs: number): Promise<number> {
    const { clock, processId, kept } = this.deps;
    const known = kept.get(keyOf(circuit));
    const waitMs = known ? known.until - clock.now() : 0;
    if (waitMs > 0) return waitMs;
    if (known) kept.set(keyOf(circuit), { ...known, until: clock.now() + forMs, by: processId });
    return 0;
  }

  async read(): Promise<readonly SharedCircuit[]> {
    const { clock, processId, kept } = this.deps;
    return [...kept.values()].map(({ side, partnerId, step, integrationId, until, by }) => {
      return { side, partnerId, step, integrationId, openMs: until - clock.now(), isOwn: by === processId };
    });
  }

  async forgetOld(): Promise<void> {
    const { clock, kept } = this.deps;
    for (const [key, { until }] of kept) if (until < clock.now() - 600_000) kept.delete(key);
  }
}

const keyOf = ({ side, partnerId, step, integrationId = '' }: CircuitName): string =>
  JSON.stringify([side, partnerId, step, integrationId]);
