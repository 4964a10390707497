import { processorTime } from '../../admission/processor-time';
import { ManageProblem } from '../http/problem';
import { PartnerBudget, partnerLimits, type WaitingCall } from './partner-budget';

interface Deps {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** CPU milliseconds that this process has used. */
  readonly computed: () => number;
  readonly schedule: (work: () => void, ms: number) => void;
}

const realTime: Deps = {
  now: () => performance.now(),
  computed: processorTime,
  schedule: (work, ms) => void setTimeout(work, ms).unref(),
};

/** Call it once, when all work of the call has ended. */
export type EndCall = () => void;

/** The throttle's refusal: seconds for `Retry-After`, and the detail of the problem document. */
export const refusedFor = {
  seconds: 1,
  detail: 'Accounts of your app send more calls than are served: send fewer, and wait for Retry-After',
};

/** Gives each partner's accounts a bounded share of the process, first come first served, so that no partner slows the others. */
export class PartnerThrottle {
  private readonly budgets = new Map<string, PartnerBudget>();
  /** Budgets with waiting calls. */
  private readonly throttled = new Set<PartnerBudget>();
  /** Budgets with a running timer. */
  private readonly timed = new Set<PartnerBudget>();

  /** The part of the shares and of the largest debt that is this process's. */
  private readonly part: number;

  /** `processes`: the serving processes of this instance, this one included. They divide the shares. */
  constructor(
    private readonly deps: Deps = realTime,
    processes = 1,
  ) {
    this.part = Math.max(1 / processes, partnerLimits.smallestPart);
  }

  /** The throttle of one of so many processes. */
  static ofOneOf(processes: number): PartnerThrottle {
    return new PartnerThrottle(realTime, processes);
  }

  /**
   * Resolves when the call may run, or to `undefined` where its caller has disconnected by then. Throws ManageProblem `too-many` where too
   * many calls wait, or this one has waited too long.
   */
  async enter(partner: string, hasLeft: () => boolean): Promise<EndCall | undefined> {
    const budget = this.budgets.get(partner) ?? new PartnerBudget(this.deps.now());
    this.budgets.set(partner, budget);
    if (budget.waiting.length >= partnerLimits.waiting) throw tooMany();
    const runs = await new Promise<boolean>((start, reject) => {
      const call: WaitingCall = { hasLeft, start, refuse: () => reject(tooMany()) };
      budget.waiting.push(call);
      this.startNext(budget);
      if (budget.waiting.includes(call)) this.deps.schedule(() => this.giveUp(call, budget), partnerLimits.waitMs);
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
    // Without a free slot, the end of a running call starts the next one.
    if (budget.waiting.length > 0 && budget.hasFreeSlot) this.scheduleStart(budget);
  }

  /** Starts the next call when the debt is paid off. */
  private scheduleStart(budget: PartnerBudget): void {
    if (this.timed.has(budget)) return;
    this.timed.add(budget);
    const start = (): void => {
      this.timed.delete(budget);
      this.startNext(budget);
    };
    this.deps.schedule(start, Math.ceil(budget.dueFor(this.share())));
  }

  private endOf(budget: PartnerBudget): EndCall {
    const { now, computed } = this.deps;
    const [startedAt, computedBefore] = [now(), computed()];
    return () => {
      budget.end(now() - startedAt, computed() - computedBefore, partnerLimits.maxChargeMs * this.part);
      this.startNext(budget);
    };
  }

  private share(): number {
    return Math.min(partnerLimits.share, partnerLimits.shareOfAll / Math.max(1, this.throttled.size)) * this.part;
  }
}

/** The throttle's refusal of a call. */
export const tooMany = (): ManageProblem =>
  new ManageProblem('too-many', { detail: refusedFor.detail, headers: { 'Retry-After': String(refusedFor.seconds) } });
