import { laneRules } from './lane';

/** A place for one attempt in a lane, until it is left. */
export interface Place {
  /** Resolves as it is left: whether there may be more to do in the lane than was begun when it was looked into last. Never rejects. */
  readonly free: Promise<boolean>;
  /** More than once is as once. `receiptMs`: how long the receipt took, `Infinity` without one; absent: nothing was attempted. */
  leave(receiptMs?: number): void;
}

/** A look into lanes, and what was claimed there. */
interface Look {
  /** Absent: into all. */
  readonly lanes: readonly string[] | undefined;
  /** What it was told that it could claim, as `LanePlaces.claimable`. */
  readonly free: ReadonlyMap<string, number>;
  /** The lane of each that was claimed. */
  readonly claimed: readonly string[];
  /** How many could have been. */
  readonly limit: number;
}

/** In a lane where more waits, so many places are not held: what was committed before must get on, too. */
const leftToClaims = 8;
/** Lanes of which it is known at most that they are quick. */
const mostQuick = 10_000;

/** The attempts that are under way in this process, lane by lane, and how many may be (`laneRules`). */
export class LanePlaces {
  private readonly counts = new Map<string, number>();
  private total = 0;
  /** Lanes whose last receipt was quick; forgotten together where they are many. */
  private readonly quick = new Set<string>();
  /** Lanes of which the last claim took all that it could, so that more may be there. */
  private readonly full = new Set<string>();
  /** How many the claim that is under way may take of a lane. */
  private promised: (lane: string) => number = () => 0;

  /** Looks into these lanes, all where absent: until `claim` has ended, what it may take is left to it. */
  async looking<T>(lanes: readonly string[] | undefined, claim: (free: ReadonlyMap<string, number>) => Promise<T>): Promise<T> {
    const free = this.claimable();
    this.promised = (lane) => (lanes && !lanes.includes(lane) ? 0 : (free.get(lane) ?? laneRules.places));
    try {
      return await claim(free);
    } finally {
      this.promised = () => 0;
    }
  }

  /** Whether a place can be taken that no claim may be about to take. */
  canBeHeld(lane: string): boolean {
    return this.freeIn(lane) > Math.max(this.promised(lane), this.full.has(lane) ? leftToClaims : 0);
  }

  /** The lanes in which nothing can be begun. */
  withoutPlace(): readonly string[] {
    return [...this.counts.keys()].filter((lane) => this.freeIn(lane) === 0);
  }

  enter(lane: string): Place {
    this.total++;
    this.counts.set(lane, this.countIn(lane) + 1);
    let tell: ((mayBeMore: boolean) => void) | undefined;
    const free = new Promise<boolean>((resolve) => (tell = resolve));
    return {
      free,
      leave: (receiptMs) => {
        const told = tell;
        tell = undefined;
        told?.(this.left(lane, receiptMs));
      },
    };
  }

  /** Where all lanes were looked into, or as many were claimed as could be, each may hold more. */
  noteFull({ lanes, free, claimed, limit }: Look): void {
    const took = new Map<string, number>();
    for (const lane of claimed) took.set(lane, (took.get(lane) ?? 0) + 1);
    const share = lanes && claimed.length < limit ? Math.ceil(limit / lanes.length) : 0;
    for (const lane of lanes ?? new Set([...free.keys(), ...claimed])) {
      if ((took.get(lane) ?? 0) >= Math.min(free.get(lane) ?? laneRules.places, share)) this.full.add(lane);
      else this.full.delete(lane);
    }
  }

  /** What a claim may take of each lane with something under way: of a quick one half of what is free, so that holding goes on. */
  private claimable(): ReadonlyMap<string, number> {
    const places = (lane: string, free: number): number => (this.isQuick(lane) ? Math.ceil(free / 2) : free);
    return new Map([...this.counts.keys()].map((lane) => [lane, places(lane, this.freeIn(lane))]));
  }

  private freeIn(lane: string): number {
    return Math.max(0, (this.isQuick(lane) ? laneRules.quickPlaces : laneRules.places) - this.countIn(lane));
  }

  private isQuick(lane: string): boolean {
    return this.quick.has(lane) && this.total < laneRules.placesOfAll / 2;
  }

  private countIn(lane: string): number {
    return this.counts.get(lane) ?? 0;
  }

  /** One fewer. Whether there may be more to do there. */
  private left(lane: string, receiptMs?: number): boolean {
    const count = this.countIn(lane) - 1;
    this.total--;
    if (receiptMs !== undefined) this.learn(lane, receiptMs);
    const mayBeMore = this.full.has(lane);
    if (count > 0) this.counts.set(lane, count);
    else this.forget(lane);
    return mayBeMore;
  }

  private learn(lane: string, receiptMs: number): void {
    if (this.quick.size >= mostQuick) this.quick.clear();
    if (receiptMs <= laneRules.quickMs) this.quick.add(lane);
    else this.quick.delete(lane);
  }

  /** Of a lane in which nothing is under way it is known at most that it was quick: there are as many as there are endpoints. */
  private forget(lane: string): void {
    this.counts.delete(lane);
    this.full.delete(lane);
  }
}
