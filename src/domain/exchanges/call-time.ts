import type { Step } from '../shared/errors';

/** A call of somebody else that this one waits for, and what that one had waited for partners before. */
interface Followed {
  readonly call: CallTime;
  readonly beforeMs: number;
}

/**
 * How long a call that somebody waits for has waited for us, the database before all: everything but the time at partners. Whoever
 * watches the call answers it once that is too long; from then on nothing is begun for it at a partner (contract/conventions#time-to-an-answer).
 */
export class CallTime {
  private readonly beganAt: number;
  private atPartners = 0;
  private atPartnerSince = 0;
  private partnersMs = 0;
  private followed: Followed | undefined;
  private step: Step | undefined;
  private overdue = false;

  /** `now`: milliseconds that only rise. */
  constructor(private readonly now: () => number) {
    this.beganAt = now();
  }

  /** The answer has left, as it was due: what has not been begun at a partner must not be begun. */
  get isOverdue(): boolean {
    return this.overdue;
  }

  /** The step that was last begun at a partner; `undefined`: none was. */
  get lastStep(): Step | undefined {
    return this.step;
  }

  /** From now on a partner is waited for, until `fromPartner`; several at once count as one. */
  toPartner(step?: Step): void {
    if (step) this.step = step;
    if (this.atPartners++ === 0) this.atPartnerSince = this.now();
  }

  fromPartner(): void {
    if (--this.atPartners === 0) this.partnersMs += this.now() - this.atPartnerSince;
  }

  /** Waits for what another call does: its time at partners is this one's. */
  async follow<T>(call: CallTime, work: Promise<T>): Promise<T> {
    this.followed = { call, beforeMs: call.atPartnersMs() };
    try {
      return await work;
    } finally {
      this.partnersMs += this.followedMs();
      this.followed = undefined;
    }
  }

  /** Waits for a partner that somebody else has called. */
  async besidePartner<T>(work: Promise<T>): Promise<T> {
    this.toPartner();
    try {
      return await work;
    } finally {
      this.fromPartner();
    }
  }

  /** Milliseconds that the caller has waited for us. */
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
