import { processorTime } from '../../processor-time';
import { ManageProblem } from '../problem';
import { PartnerBudget, partnerLimits, type WaitingCall } from './partner-budget';

interface Deps {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Milliseconds that this process has computed. */
  readonly computed: () => number;
  readonly later: (work: () => void, ms: number) => void;
}

const realTime: Deps = {
  now: () => performance.now(),
  computed: processorTime,
  later: (work, ms) => void setTimeout(work, ms).unref(),
};

/** To be called once, when all work of the call has ended. */
export type EndCall = () => void;

/** A refusal by the throttle: for how many seconds, and what its problem document says. */
export const refusedFor = {
  seconds: 1,
  detail: 'Accounts of your app send more calls than are served: send fewer, and wait for Retry-After',
};

/** Gives the calls of each partner's accounts a bounded share of a process, in the order in which they came: no partner slows the others. */
export class PartnerThrottle {
  private readonly budgets = new Map<string, PartnerBudget>();
  /** Those with calls that wait. */
  private readonly throttled = new Set<PartnerBudget>();
  /** Those that a timer is set for. */
  private readonly timed = new Set<PartnerBudget>();

  constructor(private readonly deps: Deps = realTime) {}

  /**
   * Resolves when the call may run; to `undefined` where its caller has left by then. Throws ManageProblem `too-many` where too many calls
   * wait, or this one has waited too long.
   */
  async enter(partner: string, hasLeft: () => boolean): Promise<EndCall | undefined> {
    const budget = this.budgets.get(partner) ?? new PartnerBudget(this.deps.now());
    this.budgets.set(partner, budget);
    if (budget.waiting.length >= partnerLimits.waiting) throw tooMany();
    const runs = await new Promise<boolean>((start, reject) => {
      const call: WaitingCall = { hasLeft, start, refuse: () => reject(tooMany()) };
      budget.waiting.push(call);
      this.startNext(budget);
      if (budget.waiting.includes(call)) this.deps.later(() => this.giveUp(call, budget), partnerLimits.waitMs);
    });
    return runs ? this.endOf(budget) : undefined;
  }

  private giveUp(call: WaitingCall, budget: PartnerBudget): void {
    const at = budget.waiting.indexOf(call);
    if (at < 0) return;
    budget.waiting.splice(at, 1);
    call.refuse();
    this.startNext(budget);
  }

  private startNext(budget: PartnerBudget): void {
    budget.fill(this.deps.now(), this.share());
    while (budget.mayRun) {
      const next = budget.waiting.shift();
      if (!next) break;
      const runs = !next.hasLeft();
      if (runs) budget.begin();
      next.start(runs);
    }
    if (budget.waiting.length === 0) this.throttled.delete(budget);
    else this.throttled.add(budget);
    // Where no place is free, the end of a call starts the next one.
    if (budget.waiting.length > 0 && budget.hasPlace) this.startLater(budget);
  }

  /** When nothing is owed any more. */
  private startLater(budget: PartnerBudget): void {
    if (this.timed.has(budget)) return;
    this.timed.add(budget);
    const start = (): void => {
      this.timed.delete(budget);
      this.startNext(budget);
    };
    this.deps.later(start, Math.ceil(budget.owedFor(this.share())));
  }

  private endOf(budget: PartnerBudget): EndCall {
    const { now, computed } = this.deps;
    const [startedAt, computedBefore] = [now(), computed()];
    return () => {
      budget.end(now() - startedAt, computed() - computedBefore);
      this.startNext(budget);
    };
  }

  private share(): number {
    return Math.min(partnerLimits.share, partnerLimits.shareOfAll / Math.max(1, this.throttled.size));
  }
}

/** The refusal of a call of a partner's accounts. */
export const tooMany = (): ManageProblem =>
  new ManageProblem('too-many', { detail: refusedFor.detail, headers: { 'Retry-After': String(refusedFor.seconds) } });
