import { less, placesIn } from '../../../../domain/deliveries/claim-room';
import type { ClaimRequest } from '../../../../domain/deliveries/claim-room';
import type { MemoryLanes } from '../memory-lanes';
import type { Entry, MemoryOwed } from '../memory-owed';

interface Kept {
  readonly owed: MemoryOwed;
  readonly lanes: MemoryLanes;
  readonly now: number;
}

/** The claimed ones: probes of endpoints whose circuit is open, and all others. */
export function selectClaims(kept: Kept, request: ClaimRequest): { readonly probes: readonly Entry[]; readonly others: readonly Entry[] } {
  const heads = kept.owed.heads().sort((a, b) => a.dueAt - b.dueAt);
  if (request.lanes) return { probes: [], others: due(kept, heads, request) };
  const wanted = asked(kept, heads, request);
  const rest = heads.filter((entry) => !wanted.includes(entry));
  const probes = probesIn(kept, rest, less(request, wanted));
  const left = rest.filter((entry) => !probes.includes(entry));
  return { probes, others: [...wanted, ...due(kept, left, less(request, [...wanted, ...probes]))] };
}

/** What the operator asked for one by one. */
function asked({ now }: Kept, heads: readonly Entry[], request: ClaimRequest): readonly Entry[] {
  const due = heads.filter(({ dueAt, byOperator, resendId }) => dueAt <= now && byOperator && resendId === undefined);
  return taken(due, { ...request, placesIn: (lane) => request.room.of(lane).places });
}

/** One in each lane whose circuit is open and that it is time to look into. Where nothing is left to do there is no trouble any more. */
function probesIn(kept: Kept, heads: readonly Entry[], request: ClaimRequest): readonly Entry[] {
  const { owed, lanes, now } = kept;
  const looks = lanes.lookInto(now).map(({ lane, releasedAt }) => {
    const waiting = heads.filter((entry) => entry.lane === lane && (releasedAt === undefined || isUntried(kept, entry)));
    const isUnderWay = owed.firstOfKeys().some(({ lane: of, claim }) => of === lane && claim && claim.until > now);
    if (waiting.length === 0 && !isUnderWay) lanes.forget(lane);
    return releasedAt === undefined ? waiting : [];
  });
  const longestAgo = looks.flatMap((waiting) => {
    const first = waiting.slice(0, 16);
    return first.sort((a, b) => (a.attemptedAt ?? -Infinity) - (b.attemptedAt ?? -Infinity) || a.dueAt - b.dueAt);
  });
  return taken(longestAgo, { ...request, placesIn: (lane) => Math.min(1, request.room.of(lane).places) });
}

function due(kept: Kept, heads: readonly Entry[], request: ClaimRequest): readonly Entry[] {
  const { lanes, now } = kept;
  const { limit, lanes: named } = request;
  const waiting = heads.filter((entry) => {
    const { lane, dueAt } = entry;
    const isBack = lanes.find(lane)?.releasedAt !== undefined && isUntried(kept, entry);
    return (named?.includes(lane) ?? true) && lanes.circuit(lane) !== 'open' && (dueAt <= now || isBack);
  });
  const names = [...new Set(waiting.map(({ lane }) => lane))].filter((lane) => named || request.room.of(lane).places > 0);
  const shares = placesIn(names, request);
  const places = new Map(
    names.map((lane, at) => {
      const most = lanes.circuit(lane) === 'half-open' ? request.room.of(lane).window : Infinity;
      return [lane, Math.min(most, shares[at] ?? 0)];
    }),
  );
  return taken(waiting, { limit, placesIn: (lane) => places.get(lane) ?? 0 });
}

/** It was not attempted since the endpoint is back. */
function isUntried({ lanes, now }: Kept, { lane, dueAt, attemptedAt }: Entry): boolean {
  const { releasedAt = Infinity } = lanes.find(lane) ?? {};
  return dueAt <= now || attemptedAt === undefined || attemptedAt <= releasedAt;
}

/** As many of the entries as may be begun. */
function taken(
  entries: readonly Entry[],
  { limit, placesIn: most }: { readonly limit: number; readonly placesIn: (lane: string) => number },
): readonly Entry[] {
  const counts = new Map<string, number>();
  const some: Entry[] = [];
  for (const entry of entries) {
    const count = counts.get(entry.lane) ?? 0;
    if (some.length >= limit || count >= most(entry.lane)) continue;
    counts.set(entry.lane, count + 1);
    some.push(entry);
  }
  return some;
}
