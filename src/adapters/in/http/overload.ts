import type { Log } from '../../../domain/shared/ports';

/** The order of refusals under overload: calls that can be repeated later `first`, results of payments `last`. */
export type Shed = 'first' | 'next' | 'last';

/** What there is too much of. */
export type Excess = 'too-many-calls' | 'database-busy' | 'processor-busy';

interface Bounds {
  /** Calls that were read whole and are not answered, but for those that wait for a partner. */
  readonly calls: number;
  /** For how many milliseconds a statement will wait for a connection to the database: below the two seconds after which it fails. */
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
/** A queue that goes down again by itself is no overload: nothing is refused for one that has not stood for so long. */
const standingMs = 250;
/** After so long without a queue the next one may stand again. */
const calmMs = 5000;
const tellEveryMs = 1000;
/** A call brings several statements, and the pool takes a thousand. */
const mostWaiting = 800;
/** The weight of the last beat in the database's pace: about the last half second of waiting counts. */
const ofLastBeat = 0.1;
/** Statements a millisecond, until it is known: who has just said that he is ready refuses nobody for a pace that he has not seen. */
const firstPace = 1;

interface Deps {
  /** Statements that wait for a connection to the database, now, and how many have ever got one. */
  readonly database: { waiting(): number; served(): number };
  /** Calls that hold places at partners: they only wait, and there are no more of them than places. Absent: none is known. */
  readonly partners?: { readonly calls: number };
  /** Milliseconds of a monotonic clock, as all times here. */
  readonly now: () => number;
  /** Milliseconds that this process has computed. Who is kept waiting by others on the machine helps nobody by refusing. */
  readonly computed: () => number;
  /** False: nobody is refused. */
  readonly sheds: boolean;
  readonly log: Log;
}

/** Knows how much this process has to do, and whom to refuse so that the others are answered in time. */
export class Overload {
  private running = 0;
  private lagMs = 0;
  private lastBeat = 0;
  private lastComputed = 0;
  /** Statements that get a connection, a millisecond, while others wait for one. */
  private pace = firstPace;
  /** At the last beat. */
  private hadWaiting = false;
  private lastServed = 0;
  private overSince: number | undefined;
  private overAt = -Infinity;
  private stands = false;
  private toldAt = 0;
  private readonly refused: Record<Shed, number> = { first: 0, next: 0, last: 0 };
  /** Those that were reported. */
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

  /** Why a call is not to be taken now; `undefined`: it is. Costs no more than three comparisons. */
  refuses(shed: Shed): Excess | undefined {
    const excess = this.deps.sheds ? this.excess(bounds[shed]) : undefined;
    if (excess) this.refused[shed]++;
    return excess;
  }

  /** A call has been read whole. */
  begin(): void {
    this.running++;
  }

  /** Its answer has left, or its caller. */
  end(): void {
    this.running--;
  }

  /** Calls under way, and those that were refused since the start. */
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

  /** How long a new statement has to wait, from those before it and the rate of free connections. */
  private waitMs(): number {
    const waiting = this.deps.database.waiting();
    if (waiting === 0) return 0;
    return waiting < mostWaiting ? waiting / this.pace : Infinity;
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
    if (now - this.toldAt >= tellEveryMs) this.tell(now);
  }

  /** Where nothing waits, few statements say nothing of how many the database could take: then only more of them count. */
  private measurePace(now: number): void {
    const { database } = this.deps;
    const served = database.served();
    const pace = (served - this.lastServed) / Math.max(1, now - this.lastBeat);
    const hasWaiting = database.waiting() > 0;
    if (hasWaiting || this.hadWaiting || pace > this.pace) this.pace += ofLastBeat * (pace - this.pace);
    this.hadWaiting = hasWaiting;
    this.lastServed = served;
  }

  private tell(now: number): void {
    const { first, next, last } = this.refused;
    if (first + next + last === 0) return;
    const [waiting, lag_ms] = [this.deps.database.waiting(), Math.round(this.lagMs)];
    this.deps.log.warn('shed', { first, next, last, running: this.running, waiting, lag_ms });
    Object.assign(this.shedBefore, this.counts().shed);
    Object.assign(this.refused, { first: 0, next: 0, last: 0 });
    this.toldAt = now;
  }
}
