/**
 * How fast status polls go to one host app, over all its payments and all instances: additive increase while it answers well, halved on
 * trouble (ADR 053). The pace also bounds how many are under way: as many as begin in one second.
 */
export const pollRules = {
  /** Milliseconds of a turn: at most so often an instance begins polls at a host app. */
  turnMs: 100,
  /** A turn that comes late, as nobody looked, makes the next one come earlier by so many milliseconds at most: the pace is kept. */
  lateMs: 100,
  /** Polls per second at a host app that is new, or was not polled for `forgetAfterMs`. */
  startPerSecond: 10,
  leastPerSecond: 0.5,
  /** What the pace grows by in a second in which all of it was used and answered well. */
  growthPerSecond: 10,
  /** An answer that takes longer, in milliseconds, is no reason to go faster. */
  wellWithinMs: 2000,
  mostUnderWay: 100,
  /**
   * The pace reaches this share of the cap. Polls that are delayed on their way arrive closer together than they began, and the cap holds for
   * what arrives.
   */
  shareOfCap: 0.7,
  /** After so many milliseconds without a turn a pace says nothing any more. */
  forgetAfterMs: 600_000,
} as const;

/** What a claim remembers of the turn in which it was made. */
export interface PollTurn {
  /** How often in a row the host app could not be reached. */
  readonly failures: number;
  /** How often it was in trouble so far; a poll that began before the last of them says nothing new. */
  readonly troubles: number;
  /** All that the pace allowed was claimed, so a good answer is a reason to go faster. */
  readonly isFull: boolean;
  /** What the pace may grow to, in polls per second. */
  readonly mostPerSecond: number;
}

/** Polls that one turn may begin. */
export const pollsPerTurn = (perSecond: number): number => Math.max(1, Math.floor((perSecond * pollRules.turnMs) / 1000));

/** Polls that may be under way at once; one at a time until the host app was reached again. */
export const pollPlaces = ({ failures, perSecond }: { readonly failures: number; readonly perSecond: number }): number =>
  failures > 0 ? 1 : Math.min(pollRules.mostUnderWay, Math.ceil(perSecond));

/** The pace, in polls per second, after so many good answers of full turns: a second of them adds `growthPerSecond`. */
export const fasterPace = (perSecond: number, answers: number, { mostPerSecond }: Pick<PollTurn, 'mostPerSecond'>): number =>
  Math.min(mostPerSecond, perSecond + (pollRules.growthPerSecond * answers) / perSecond);

/** The pace after trouble, in polls per second. */
export const slowerPace = (perSecond: number): number => Math.max(pollRules.leastPerSecond, perSecond / 2);
