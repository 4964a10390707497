import type { Log } from '../../../../domain/shared/ports';

/** The order of shedding under overload: calls that can be repeated later are `first`, results of payments `last`. */
export type Shed = 'first' | 'next' | 'last';

/** The resource that is exhausted. */
export type Excess = 'too-many-calls' | 'database-busy' | 'processor-busy';

interface Bounds {
  /** Calls that were read completely and are not answered yet, except those that wait for a partner. */
  readonly calls: number;
  /** Expected milliseconds until a statement gets a database connection; lower than the two seconds after which it fails. */
  readonly waitMs: number;
  /** Event-loop lag caused by this process's own work, in milliseconds. */
  readonly lagMs: number;
}

const bounds: Readonly<Record<Shed, Bounds>> = {
  first: { calls: 1000, waitMs: 250, lagMs: 100 },
  next: { calls: 2000, waitMs: 500, lagMs: 300 },
  last: { calls: 2500, waitMs: 1000, lagMs: 1000 },
};

const beatMs = 50;
/** A queue that drains by itself is no overload: shedding starts only after a queue has lasted for this many milliseconds. */
const standingMs = 250;
/** After this many milliseconds without a queue, the next queue again gets `standingMs` before shedding starts. */
const calmMs = 5000;
const logEveryMs = 1000;
/** One call makes several statements, and the pool's queue holds a thousand. */
const maxWaiting = 800;
/** Weight of the latest sample in the database's pace: about the last half second of waiting counts. */
const ofLastBeat = 0.1;
/**
 * Initial pace in statements per millisecond, until it is measured: a service that has just become ready must not shed for an unmeasured
 * pace.
 */
const firstPace = 1;

interface Deps {
  /** Statements that wait for a database connection now, and the total that have got one so far. */
  readonly database: { waiting(): number; served(): number };
  /** Calls that hold slots at partners: they only wait, and the slots limit their number. Absent when it is not known. */
  readonly partners?: { readonly calls: number };
  /** Milliseconds of a monotonic clock, like all times here. */
  readonly now: () => number;
  /** CPU milliseconds of this process. When other processes on the machine cause the lag, shedding does not help. */
  readonly computed: () => number;
  /** False when shedding is disabled. */
  readonly sheds: boolean;
  readonly log: Log;
}

/** Measures the load of this process and decides which calls to refuse so that the others are answered in time. */
export class Overload {
  private running = 0;
  private lagMs = 0;
  private lastBeat = 0;
  private lastComputed = 0;
  /** Statements per millisecond that get a connection while others wait for one. */
  private pace = firstPace;
  /** Whether statements were waiting at the last sample. */
  private hadWaiting = false;
  private lastServed = 0;
  private overSince: number | undefined;
  private overAt = -Infinity;
  private stands = false;
  private lastLoggedAt = 0;
  private readonly refused: Record<Shed, number> = { first: 0, next: 0, last: 0 };
  /** Refusals that were logged already. */
  private readonly shedBefore: Record<Shed, number> = { first: 0, next: 0, last: 0 };
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: Deps) {}

  start(): void {
    this.lastBeat = this.deps.now();
    this.lastComputed = this.deps.computed();
    this.timer = setInterval(() => {
      this.beat(this.deps.now());
    }, beatMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Why a call must be refused now, or `undefined` when it may run. Costs at most three comparisons. */
  refuses(shed: Shed): Excess | undefined {
    const excess = this.deps.sheds ? this.excess(bounds[shed]) : undefined;
    if (excess) this.refused[shed]++;
    return excess;
  }

  /** Counts a call whose body has been read completely. */
  begin(): void {
    this.running++;
  }

  /** Counts down when the response is finished or the caller has disconnected. */
  end(): void {
    this.running--;
  }

  /** Calls in flight, and calls refused since the start. */
  counts(): { readonly calls: number; readonly shed: Readonly<Record<Shed, number>> } {
    const since = (shed: Shed): number => this.shedBefore[shed] + this.refused[shed];
    return { calls: this.running, shed: { first: since('first'), next: since('next'), last: since('last') } };
  }

  private excess({ calls, waitMs, lagMs }: Bounds): Excess | undefined {
    if (this.running - (this.deps.partners?.calls ?? 0) >= calls) return 'too-many-calls';
    if (!this.stands) return undefined;
    if (this.waitMs() >= waitMs) return 'database-busy';
    return this.lagMs >= lagMs ? 'processor-busy' : undefined;
  }

  /** Expected wait of a new statement in milliseconds: the statements before it divided by the pace of free connections. */
  private waitMs(): number {
    const waiting = this.deps.database.waiting();
    if (waiting === 0) return 0;
    return waiting < maxWaiting ? waiting / this.pace : Infinity;
  }

  private beat(now: number): void {
    this.measurePace(now);
    const computed = this.deps.computed();
    this.lagMs = Math.max(0, Math.min(now - this.lastBeat, computed - this.lastComputed) - beatMs);
    this.lastBeat = now;
    this.lastComputed = computed;
    if (this.lagMs >= bounds.first.lagMs || this.waitMs() >= bounds.first.waitMs) {
      this.overSince ??= now;
      this.overAt = now;
    } else this.overSince = undefined;
    if (this.overSince !== undefined && now - this.overSince >= standingMs) this.stands = true;
    if (now - this.overAt >= calmMs) this.stands = false;
    if (now - this.lastLoggedAt >= logEveryMs) this.logShed(now);
  }

  /** While nothing waits, a low number of statements does not show the database's capacity. Then the pace may only rise. */
  private measurePace(now: number): void {
    const { database } = this.deps;
    const served = database.served();
    const pace = (served - this.lastServed) / Math.max(1, now - this.lastBeat);
    const hasWaiting = database.waiting() > 0;
    if (hasWaiting || this.hadWaiting || pace > this.pace) this.pace += ofLastBeat * (pace - this.pace);
    this.hadWaiting = hasWaiting;
    this.lastServed = served;
  }

  private logShed(now: number): void {
    const { first, next, last } = this.refused;
    if (first + next + last === 0) return;
    const [waiting, lag_ms] = [this.deps.database.waiting(), Math.round(this.lagMs)];
    this.deps.log.warn('shed', { first, next, last, running: this.running, waiting, lag_ms });
    Object.assign(this.shedBefore, this.counts().shed);
    Object.assign(this.refused, { first: 0, next: 0, last: 0 });
    this.lastLoggedAt = now;
  }
}
