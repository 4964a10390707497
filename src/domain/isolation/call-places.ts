import type { PartnerLeg } from '../partners/partner-errors';
import type { Outcome } from './circuit';
import type { EndpointPlace, PartnerEndpoint, Trial } from './endpoint';

/** A place at one endpoint, and how the call there goes. Times are milliseconds of a monotonic clock. */
export class HeldPlace {
  private outcome: Outcome | undefined;
  private begunAt: number;
  private isLeft = false;

  constructor(
    readonly endpoint: PartnerEndpoint,
    private readonly place: EndpointPlace,
    private readonly heldSince: number,
    /** Hears that the place has been given back. */
    private readonly left: () => void,
  ) {
    this.begunAt = heldSince;
  }

  /** A request is about to be sent. */
  begin(now: number): void {
    this.begunAt = now;
  }

  /** How it went. A time-out counts only where the endpoint had at least half of the call's time. */
  ended(outcome: Outcome | undefined, now: number): void {
    const wasHurried = outcome === 'timed-out' && now - this.begunAt < (now - this.heldSince) / 2;
    this.outcome = wasHurried ? undefined : outcome;
  }

  /** The half-open circuit that the call is about to try, where no process has claimed the trial. */
  unclaimed(now: number): Trial | undefined {
    return this.endpoint.unclaimed(this.place, now);
  }

  /** Gives the place back; more than once is as once. */
  leave(now: number): void {
    if (this.isLeft) return;
    this.isLeft = true;
    this.endpoint.leave(this.place, this.outcome, now);
    this.left();
  }

  isAt({ side, step }: PartnerLeg): boolean {
    const { name } = this.endpoint;
    return !this.isLeft && name.step === step && name.side === side;
  }
}

/** All that one inbound call holds at partners, taken together before anything is sent. */
export class CallPlaces {
  constructor(
    private readonly places: readonly HeldPlace[],
    private readonly now: () => number,
  ) {}

  /** The place for this step; `undefined`: none was taken, or it has been given back. */
  at(leg: PartnerLeg): HeldPlace | undefined {
    return this.places.find((place) => place.isAt(leg));
  }

  /** The half-open circuits that the call is about to try, where no process has claimed the trial. */
  unclaimed(): readonly Trial[] {
    const now = this.now();
    return this.places.flatMap((place) => place.unclaimed(now) ?? []);
  }

  /** Gives back whatever is still held; more than once is as once. */
  release(): void {
    const now = this.now();
    for (const place of this.places) place.leave(now);
  }
}
