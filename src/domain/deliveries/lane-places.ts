import type { Clock } from '../shared/ports';
import { EndpointHealth } from './endpoint-health';
import { laneRules } from './lane';
import type { LaneTrouble } from './circuit';
import type { LaneNews } from './ports';
import type { LaneRoom, Room } from './claim-room';

/** A place for one attempt in a lane, until it is left. */
export interface Place {
  /** Resolves as it is left: whether there may be more to do in the lane than the last claim began. Never rejects. */
  readonly free: Promise<boolean>;
  /** The endpoint received it after `ms`. Returns what the receipt says of the endpoint, where the other instances must know. */
  received(ms: number): LaneNews | undefined;
  /** The endpoint is in trouble. Returns after how many failures in a row its circuit opens. */
  troubled(retryAfterS?: number): number;
  /** It failed otherwise, or nothing is known of it. */
  failed(): void;
  /** More than once is as once. */
  leave(): void;
}

/** A claim in lanes, and its result. */
interface Look {
  /** Absent: into all. */
  readonly lanes: readonly string[] | undefined;
  /** Its limits. */
  readonly room: Room;
  /** The lane of each that was claimed. */
  readonly claimed: readonly string[];
  /** How many could have been. */
  readonly limit: number;
}

/** In a lane where more waits, so many places are not reserved: earlier deliveries must get on, too. */
const leftToClaims = 8;
/** Known lanes at most, besides those with something under way. */
const mostKnown = 10_000;

/** The attempts that are under way in this process, lane by lane, and how many may be (`laneRules`). */
export class LanePlaces {
  private readonly lanes = new Map<string, EndpointHealth>();
  /** Those with something under way. */
  private readonly busy = new Map<string, EndpointHealth>();
  private total = 0;
  /** Lanes where the last claim took all that it could, so that more may be there. */
  private readonly full = new Set<string>();
  /** How many the claim that is under way may take of a lane. */
  private promised: (lane: string) => number = () => 0;

  constructor(private readonly clock: Clock) {}

  /** Looks into these lanes, all where absent: until `claim` has ended, what it may take is left to it. */
  async looking<T>(lanes: readonly string[] | undefined, claim: (room: Room) => Promise<T>): Promise<T> {
    const room = this.room();
    this.promised = (lane) => (lanes && !lanes.includes(lane) ? 0 : room.of(lane).places);
    try {
      return await claim(room);
    } finally {
      this.promised = () => 0;
    }
  }

  /** Whether a place can be taken that no claim may be about to take. */
  canBeReserved(lane: string): boolean {
    return this.freeIn(lane) > Math.max(this.promised(lane), this.full.has(lane) ? leftToClaims : 0);
  }

  /** The lanes in which nothing can be begun. */
  withoutPlace(): readonly string[] {
    const some = this.total < laneRules.unprovenPlaces ? this.busy : this.lanes;
    return [...some.keys()].filter((lane) => this.freeIn(lane) === 0);
  }

  /** `claimed`: how its endpoint stood when it was claimed; absent: nothing is claimed yet. */
  enter(lane: string, claimed?: { readonly trouble?: LaneTrouble | undefined }): Place {
    const health = this.healthOf(lane);
    const begunAt = this.clock.now();
    if (claimed) health.noteTrouble(begunAt, claimed.trouble);
    const end = health.begin(begunAt);
    this.busy.set(lane, health);
    this.total++;
    let tell: ((mayBeMore: boolean) => void) | undefined;
    const free = new Promise<boolean>((resolve) => (tell = resolve));
    return {
      free,
      received: (ms) => health.received({ ms, now: this.clock.now(), trouble: claimed?.trouble }),
      troubled: (retryAfterS) => health.troubled({ begunAt, now: this.clock.now(), retryAfterS }),
      failed: () => health.failed(),
      leave: () => {
        const told = tell;
        tell = undefined;
        if (!told) return;
        end();
        told(this.left(lane, health));
      },
    };
  }

  /** The claimed deliveries have begun. After a claim in all lanes, or of as many as allowed, each lane may hold more. */
  noteFull({ lanes, room, claimed, limit }: Look): void {
    const took = new Map<string, number>();
    for (const lane of claimed) took.set(lane, (took.get(lane) ?? 0) + 1);
    const share = lanes && claimed.length < limit ? Math.ceil(limit / lanes.length) : 0;
    for (const lane of lanes ?? new Set([...room.busy, ...claimed])) {
      const { places, window } = room.of(lane);
      const most = this.lanes.get(lane)?.limitedTo() === Infinity ? places : Math.min(places, window);
      if ((took.get(lane) ?? 0) >= Math.min(most, share)) this.full.add(lane);
      else this.full.delete(lane);
    }
  }

  /** What a claim may take: of an endpoint that answers half of the free places, so that some are left to be reserved. */
  private room(): Room {
    const known = new Map<string, LaneRoom>();
    const of = (lane: string): LaneRoom => {
      const room = known.get(lane) ?? this.roomIn(lane);
      known.set(lane, room);
      return room;
    };
    // As they are now: the claim's own attempts begin before it is noted how full the lanes were.
    const busy = [...this.busy.keys()];
    busy.forEach(of);
    return { of, busy, unproven: this.unprovenLeft() };
  }

  private roomIn(lane: string): LaneRoom {
    const health = this.lanes.get(lane);
    const free = this.freeIn(lane);
    const places = this.mostIn(health) > laneRules.places ? Math.ceil(free / 2) : free;
    const window = Math.max(0, (health?.windowPlaces() ?? laneRules.firstWindow) - (health?.count ?? 0));
    return { places, window, isProven: health?.answers(this.clock.now()) ?? false, isUnknown: health?.isUnknown() ?? true };
  }

  private freeIn(lane: string): number {
    const health = this.lanes.get(lane);
    const free = Math.max(0, this.mostIn(health) - (health?.count ?? 0));
    if (this.total < laneRules.unprovenPlaces || health?.answers(this.clock.now())) return free;
    // An unknown endpoint shows by one attempt whether it answers.
    return Math.min(free, Math.max(this.unprovenLeft(), health?.isUnknown() === false ? 0 : 1));
  }

  private mostIn(health: EndpointHealth | undefined): number {
    if (!health) return laneRules.places;
    const most = this.total < laneRules.placesOfAll / 2 ? health.mostPlaces() : laneRules.places;
    return Math.min(most, health.limitedTo());
  }

  /** Places that endpoints may still take together that do not answer. */
  private unprovenLeft(): number {
    if (this.total === 0) return laneRules.unprovenPlaces;
    const now = this.clock.now();
    let taken = 0;
    for (const health of this.busy.values()) if (!health.answers(now)) taken += health.count;
    return Math.max(0, laneRules.unprovenPlaces - taken);
  }

  private healthOf(lane: string): EndpointHealth {
    const known = this.lanes.get(lane);
    if (known) return known;
    if (this.lanes.size >= mostKnown) for (const [name, { count }] of this.lanes) if (count === 0) this.lanes.delete(name);
    const health = new EndpointHealth();
    this.lanes.set(lane, health);
    return health;
  }

  /** One fewer. Whether there may be more to do there. */
  private left(lane: string, health: EndpointHealth): boolean {
    this.total--;
    const mayBeMore = this.full.has(lane);
    if (health.count === 0) {
      this.full.delete(lane);
      this.busy.delete(lane);
    }
    return mayBeMore;
  }
}
