/** What may be begun in one lane. */
export interface LaneRoom {
  readonly places: number;
  /** Where its circuit is half-open: no more than this. */
  readonly window: number;
  /** Its endpoint answers, so that it may have places that are kept for those that do. */
  readonly isProven: boolean;
  /** Nothing is known of its endpoint: it may have one of those places, to show that it answers. */
  readonly isUnknown: boolean;
}

/** What may be begun in this process. */
export interface Room {
  of(lane: string): LaneRoom;
  /** Lanes with something under way. */
  readonly busy: readonly string[];
  /** In all lanes together that are not proven. */
  readonly unproven: number;
}

/** The limits of a claim. */
export interface ClaimRequest {
  readonly limit: number;
  readonly leaseMs: number;
  readonly room: Room;
  /** Only these lanes; absent: all of them, and troubled ones that it is time to look into. */
  readonly lanes?: readonly string[];
}

/**
 * How many may be claimed in each of these lanes: an equal share of all, so that none takes it all. Endpoints that do not answer have
 * the rest together; an unknown one has one place in any case, to show whether it answers.
 */
export function placesIn(lanes: readonly string[], { limit, room }: Pick<ClaimRequest, 'limit' | 'room'>): number[] {
  const share = Math.ceil(limit / lanes.length);
  let unproven = room.unproven;
  return lanes.map((lane) => {
    const { places, isProven, isUnknown } = room.of(lane);
    const most = Math.min(share, places);
    if (isProven) return most;
    const taken = Math.min(most, Math.max(unproven, isUnknown ? 1 : 0));
    unproven -= taken;
    return taken;
  });
}

/** What may be claimed when one of each of these lanes was taken. */
export function less(request: ClaimRequest, taken: readonly { readonly lane: string }[]): ClaimRequest {
  if (taken.length === 0) return request;
  const counts = new Map<string, number>();
  for (const { lane } of taken) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  const of = (lane: string): LaneRoom => {
    const room = request.room.of(lane);
    const count = counts.get(lane) ?? 0;
    return { ...room, places: Math.max(0, room.places - count), window: Math.max(0, room.window - count) };
  };
  const room = { ...request.room, of, busy: [...new Set([...request.room.busy, ...counts.keys()])] };
  return { ...request, room, limit: Math.max(0, request.limit - taken.length) };
}
