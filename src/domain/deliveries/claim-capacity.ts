/** How many attempts may begin in one queue. */
export interface QueueCapacity {
  readonly slots: number;
  /** Upper limit while the queue's circuit is half-open. */
  readonly window: number;
  /** The endpoint answers, so it may also use the slots that are kept for such endpoints. */
  readonly isProven: boolean;
  /** Nothing is known of the endpoint: it may use one kept slot, to show whether it answers. */
  readonly isUnknown: boolean;
}

/** How many attempts may begin in this process. */
export interface ClaimCapacity {
  of(queue: string): QueueCapacity;
  /** Queues with an attempt in flight. */
  readonly busy: readonly string[];
  /** Attempts that may begin in all unproven queues together. */
  readonly unproven: number;
}

/** The limits of a claim. */
export interface ClaimRequest {
  readonly limit: number;
  readonly leaseMs: number;
  readonly capacity: ClaimCapacity;
  /** Claims only from these queues; absent: from all, and probes of failing queues that are due. */
  readonly queues?: readonly string[];
}

/**
 * How many deliveries may be claimed in each of these queues: at most an equal share, so that no queue takes everything. Endpoints that do
 * not answer share `capacity.unproven`; an unknown one gets one slot in any case, to show whether it answers.
 */
export function claimableSlots(queues: readonly string[], { limit, capacity }: Pick<ClaimRequest, 'limit' | 'capacity'>): number[] {
  const share = Math.ceil(limit / queues.length);
  let unproven = capacity.unproven;
  return queues.map((queue) => {
    const { slots, isProven, isUnknown } = capacity.of(queue);
    const maxClaims = Math.min(share, slots);
    if (isProven) return maxClaims;
    const taken = Math.min(maxClaims, Math.max(unproven, isUnknown ? 1 : 0));
    unproven -= taken;
    return taken;
  });
}

/** The request that is left after one delivery of each of these queues was claimed. */
export function less(request: ClaimRequest, taken: readonly { readonly queue: string }[]): ClaimRequest {
  if (taken.length === 0) return request;
  const counts = new Map<string, number>();
  for (const { queue } of taken) counts.set(queue, (counts.get(queue) ?? 0) + 1);
  const of = (queue: string): QueueCapacity => {
    const capacity = request.capacity.of(queue);
    const count = counts.get(queue) ?? 0;
    return { ...capacity, slots: Math.max(0, capacity.slots - count), window: Math.max(0, capacity.window - count) };
  };
  const capacity = { ...request.capacity, of, busy: [...new Set([...request.capacity.busy, ...counts.keys()])] };
  return { ...request, capacity, limit: Math.max(0, request.limit - taken.length) };
}
