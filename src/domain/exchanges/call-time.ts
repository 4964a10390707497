import type { Step } from '../shared/errors';

/** Another call that this one waits for, and its partner time before the wait began. */
interface Followed {
  readonly call: CallTime;
  readonly beforeMs: number;
}

/**
 * Measures how long an inbound call has waited for us, above all for the database, without the time at partners. When that is too long,
 * the caller gets an answer; after that no call to a partner is begun for it (contract/conventions#time-to-an-answer).
 */
export class CallTime {
  private readonly beganAt: number;
  private atPartners = 0;
  private atPartnerSince = 0;
  private partnersMs = 0;
  private followed: Followed | undefined;
  private step: Step | undefined;
  private overdue = false;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(private readonly now: () => number) {
    this.beganAt = now();
  }

  /** Whether the caller was already answered because the time was over: no further call to a partner may begin. */
  get isOverdue(): boolean {
    return this.overdue;
  }

  /** The last step that was begun at a partner; `undefined` when none was. */
  get lastStep(): Step | undefined {
    return this.step;
  }

  /** Starts partner time, until `fromPartner`; concurrent calls to partners count once. */
  toPartner(step?: Step): void {
    if (step) this.step = step;
    if (this.atPartners++ === 0) this.atPartnerSince = this.now();
  }

  fromPartner(): void {
    if (--this.atPartners === 0) this.partnersMs += this.now() - this.atPartnerSince;
  }

  /** Waits for the work of another call, whose partner time also counts as this one's. */
  async follow<T>(call: CallTime, work: Promise<T>): Promise<T> {
    this.followed = { call, beforeMs: call.atPartnersMs() };
    try {
      return await work;
    } finally {
      this.partnersMs += this.followedMs();
      this.followed = undefined;
    }
  }

  /** Waits for a request to a partner, this call's or another one's, and counts the wait as partner time. */
  async besidePartner<T>(work: () => Promise<T>, step?: Step): Promise<T> {
    this.toPartner(step);
    try {
      return await work();
    } finally {
      this.fromPartner();
    }
  }

  /** Milliseconds that the caller has waited for us, without partner time. */
  ownMs(): number {
    return this.now() - this.beganAt - this.atPartnersMs();
  }

  expire(): void {
    this.overdue = true;
  }

  private atPartnersMs(): number {
    const current = this.atPartners > 0 ? this.now() - this.atPartnerSince : 0;
    return this.partnersMs + current + this.followedMs();
  }

  private followedMs(): number {
    return this.followed ? this.followed.call.atPartnersMs() - this.followed.beforeMs : 0;
  }
}
