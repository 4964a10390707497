import { laneRules } from './lane';

/** A place for one attempt in a lane, until it is left. */
export interface Place {
  /** Resolves as it is left: whether there may be more to do in the lane than was begun when it was looked into last. Never rejects. */
  readonly free: Promise<boolean>;
  /** More than once is as once. */
  leave(): void;
}

/** A look into lanes, and what was claimed there. */
interface Look {
  /** Absent: into all. */
  readonly lanes: readonly string[] | undefined;
  /** What was under way before. */
  readonly underWay: ReadonlyMap<string, number>;
  /** The lane of each that was claimed. */
  readonly claimed: readonly string[];
  /** How many could have been. */
  readonly limit: number;
}

/** The attempts that are under way in this process, lane by lane: `laneRules.places` in each. */
export class LanePlaces {
  private readonly counts = new Map<string, number>();
  /** Lanes of which the last claim took all that it could, so that more may be there. */
  private readonly full = new Set<string>();
  private isLookedInto: (lane: string) => boolean = () => false;

  /** Looks into these lanes, all where absent: until `claim` has ended, what is free there is left to it. */
  async looking<T>(lanes: readonly string[] | undefined, claim: () => Promise<T>): Promise<T> {
    this.isLookedInto = (lane) => lanes?.includes(lane) ?? true;
    try {
      return await claim();
    } finally {
      this.isLookedInto = () => false;
    }
  }

  /** Whether a place can be taken that no claim may be about to take. */
  canBeHeld(lane: string): boolean {
    return this.isFree(lane) && !this.isLookedInto(lane);
  }

  /** How many are under way in each lane now. */
  taken(): ReadonlyMap<string, number> {
    return new Map(this.counts);
  }

  isFree(lane: string): boolean {
    return (this.counts.get(lane) ?? 0) < laneRules.places;
  }

  enter(lane: string): Place {
    this.counts.set(lane, (this.counts.get(lane) ?? 0) + 1);
    let tell: ((mayBeMore: boolean) => void) | undefined;
    const free = new Promise<boolean>((resolve) => (tell = resolve));
    return {
      free,
      leave: () => {
        const told = tell;
        tell = undefined;
        told?.(this.left(lane));
      },
    };
  }

  /** Where all lanes were looked into, or as many were claimed as could be, each may hold more. */
  noteFull({ lanes, underWay, claimed, limit }: Look): void {
    const now = new Map(underWay);
    for (const lane of claimed) now.set(lane, (now.get(lane) ?? 0) + 1);
    const some = claimed.length < limit ? limit : 0;
    const places = lanes ? Math.min(laneRules.places, Math.ceil(some / lanes.length)) : 0;
    for (const lane of lanes ?? now.keys()) {
      if ((now.get(lane) ?? 0) >= places) this.full.add(lane);
      else this.full.delete(lane);
    }
  }

  /** One fewer. Whether there may be more to do there. */
  private left(lane: string): boolean {
    const count = (this.counts.get(lane) ?? 1) - 1;
    if (count > 0) this.counts.set(lane, count);
    else this.counts.delete(lane);
    const mayBeMore = this.full.has(lane);
    if (count <= 0) this.full.delete(lane);
    return mayBeMore;
  }
}
