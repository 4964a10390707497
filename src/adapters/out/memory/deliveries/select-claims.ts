import { less, claimableSlots } from '../../../../domain/deliveries/claim-capacity';
import type { ClaimRequest } from '../../../../domain/deliveries/claim-capacity';
import type { MemoryEndpointQueues } from './memory-endpoint-queues';
import type { Entry, MemoryPendingDeliveries } from './memory-pending-deliveries';

interface Kept {
  readonly pending: MemoryPendingDeliveries;
  readonly queues: MemoryEndpointQueues;
  readonly now: number;
}

/** Selects deliveries to claim: probes of endpoints with an open circuit, and others. */
export function selectClaims(kept: Kept, request: ClaimRequest): { readonly probes: readonly Entry[]; readonly others: readonly Entry[] } {
  const heads = kept.pending.heads().sort((a, b) => a.dueAt - b.dueAt);
  if (request.queues) return { probes: [], others: due(kept, heads, request) };
  const wanted = requestedOnes(kept, heads, request);
  const rest = heads.filter((entry) => !wanted.includes(entry));
  const probes = probesIn(kept, rest, less(request, wanted));
  const left = rest.filter((entry) => !probes.includes(entry));
  return { probes, others: [...wanted, ...due(kept, left, less(request, [...wanted, ...probes]))] };
}

/** Deliveries that the operator resent one by one. */
function requestedOnes({ now }: Kept, heads: readonly Entry[], request: ClaimRequest): readonly Entry[] {
  const due = heads.filter(({ dueAt, byOperator, resendId }) => dueAt <= now && byOperator && resendId === undefined);
  return taken(due, { ...request, slotsOf: (queue) => request.capacity.of(queue).slots });
}

/** One delivery in each queue with an open circuit and a due probe. A queue with nothing to attempt is no longer in trouble. */
function probesIn(kept: Kept, heads: readonly Entry[], request: ClaimRequest): readonly Entry[] {
  const { pending, queues, now } = kept;
  const candidates = queues.takeDue(now).map(({ queue, recoveringSince }) => {
    const waiting = heads.filter((entry) => entry.queue === queue && (recoveringSince === undefined || isUntried(kept, entry)));
    const isInFlight = pending.firstOfKeys().some(({ queue: of, claim }) => of === queue && claim && claim.until > now);
    if (waiting.length === 0 && !isInFlight) queues.forget(queue);
    return recoveringSince === undefined ? waiting : [];
  });
  const longestAgo = candidates.flatMap((waiting) => {
    const first = waiting.slice(0, 16);
    return first.sort((a, b) => (a.attemptedAt ?? -Infinity) - (b.attemptedAt ?? -Infinity) || a.dueAt - b.dueAt);
  });
  return taken(longestAgo, { ...request, slotsOf: (queue) => Math.min(1, request.capacity.of(queue).slots) });
}

function due(kept: Kept, heads: readonly Entry[], request: ClaimRequest): readonly Entry[] {
  const { queues, now } = kept;
  const { limit, queues: named } = request;
  const waiting = heads.filter((entry) => {
    const { queue, dueAt } = entry;
    const isBack = queues.find(queue)?.recoveringSince !== undefined && isUntried(kept, entry);
    return (named?.includes(queue) ?? true) && queues.circuit(queue) !== 'open' && (dueAt <= now || isBack);
  });
  const names = [...new Set(waiting.map(({ queue }) => queue))].filter((queue) => named || request.capacity.of(queue).slots > 0);
  const shares = claimableSlots(names, request);
  const slots = new Map(
    names.map((queue, at) => {
      const maxClaims = queues.circuit(queue) === 'half-open' ? request.capacity.of(queue).window : Infinity;
      return [queue, Math.min(maxClaims, shares[at] ?? 0)];
    }),
  );
  return taken(waiting, { limit, slotsOf: (queue) => slots.get(queue) ?? 0 });
}

/** Whether the delivery is due or was not attempted since its endpoint began to recover. */
function isUntried({ queues, now }: Kept, { queue, dueAt, attemptedAt }: Entry): boolean {
  const { recoveringSince = Infinity } = queues.find(queue) ?? {};
  return dueAt <= now || attemptedAt === undefined || attemptedAt <= recoveringSince;
}

/** As many entries as the limit and the slots allow. */
function taken(
  entries: readonly Entry[],
  { limit, slotsOf }: { readonly limit: number; readonly slotsOf: (queue: string) => number },
): readonly Entry[] {
  const counts = new Map<string, number>();
  const some: Entry[] = [];
  for (const entry of entries) {
    const count = counts.get(entry.queue) ?? 0;
    if (some.length >= limit || count >= slotsOf(entry.queue)) continue;
    counts.set(entry.queue, count + 1);
    some.push(entry);
  }
  return some;
}
