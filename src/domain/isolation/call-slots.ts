import type { PartnerLeg } from '../partners/partner-errors';
import type { Outcome } from './circuit';
import type { EndpointSlot, PartnerEndpoint, Trial } from './endpoint';

/** A slot at one endpoint, with the outcome of its call. Times are milliseconds of a monotonic clock. */
export class ReservedSlot {
  private outcome: Outcome | undefined;
  private begunAt: number;
  private isLeft = false;

  constructor(
    readonly endpoint: PartnerEndpoint,
    private readonly slot: EndpointSlot,
    private readonly heldSince: number,
    /** Called when the slot is released. */
    private readonly left: () => void,
  ) {
    this.begunAt = heldSince;
  }

  /** Notes that a request is about to be sent. */
  begin(now: number): void {
    this.begunAt = now;
  }

  /** Notes the outcome. A timeout counts only if the endpoint had at least half of the call's time. */
  ended(outcome: Outcome | undefined, now: number): void {
    const wasHurried = outcome === 'timed-out' && now - this.begunAt < (now - this.heldSince) / 2;
    this.outcome = wasHurried ? undefined : outcome;
  }

  /** The half-open circuit that the call is about to test, if no process has claimed the trial. */
  unclaimed(now: number): Trial | undefined {
    return this.endpoint.unclaimed(this.slot, now);
  }

  /** Releases the slot. Further calls do nothing. */
  leave(now: number): void {
    if (this.isLeft) return;
    this.isLeft = true;
    this.endpoint.leave(this.slot, this.outcome, now);
    this.left();
  }

  isAt({ side, step }: PartnerLeg): boolean {
    const { name } = this.endpoint;
    return !this.isLeft && name.step === step && name.side === side;
  }
}

/** All slots of one inbound call, taken together before anything is sent. */
export class CallSlots {
  constructor(
    private readonly slots: readonly ReservedSlot[],
    private readonly now: () => number,
  ) {}

  /** The slot for this step; `undefined` when none was taken, or it was released. */
  at(leg: PartnerLeg): ReservedSlot | undefined {
    return this.slots.find((slot) => slot.isAt(leg));
  }

  /** The half-open circuits that the call is about to test, if no process has claimed the trials. */
  unclaimed(): readonly Trial[] {
    const now = this.now();
    return this.slots.flatMap((slot) => slot.unclaimed(now) ?? []);
  }

  /** Releases all slots that are still held. Further calls do nothing. */
  release(): void {
    const now = this.now();
    for (const slot of this.slots) slot.leave(now);
  }
}
