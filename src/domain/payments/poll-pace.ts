/**
 * Limits of the status polls to one host app, over all its payments and all instances: additive increase while it answers well, halved on
 * trouble (ADR 053). The pace also limits the polls in flight to as many as begin in one second.
 */
export const pollRules = {
  /** Milliseconds between two turns; in a turn one instance begins polls at a host app. */
  turnMs: 100,
  /** Maximum milliseconds by which the turn after a late one comes earlier, so that the pace is kept. */
  lateMs: 100,
  /** Polls per second at a host app that is new, or was not polled for `forgetAfterMs`. */
  startPerSecond: 10,
  minPerSecond: 0.5,
  /** Growth of the pace per second in which all of it was used and answered well. */
  growthPerSecond: 10,
  /** An answer that takes longer, in milliseconds, does not raise the pace. */
  wellWithinMs: 2000,
  maxInFlight: 100,
  /**
   * The pace stays below this share of the maximum: polls that are delayed in transit arrive closer together than they began, and the
   * maximum applies to arrivals.
   */
  shareOfCap: 0.7,
  /** Milliseconds without a turn after which the pace is forgotten. */
  forgetAfterMs: 600_000,
} as const;

/** The state of a turn, kept by the claims that were made in it. */
export interface PollTurn {
  /** Consecutive times that the host app could not be reached. */
  readonly failures: number;
  /** Times that the host app was in trouble so far; a poll that began before the last one says nothing new. */
  readonly troubles: number;
  /** Whether the turn claimed all that the pace allowed, so that a good answer may raise the pace. */
  readonly isFull: boolean;
  /** Maximum pace, in polls per second. */
  readonly maxPace: number;
}

/** Number of polls that one turn may begin. */
export const pollsPerTurn = (perSecond: number): number => Math.max(1, Math.floor((perSecond * pollRules.turnMs) / 1000));

/** Maximum polls in flight; one at a time until a failed host app was reached again. */
export const pollSlots = ({ failures, perSecond }: { readonly failures: number; readonly perSecond: number }): number =>
  failures > 0 ? 1 : Math.min(pollRules.maxInFlight, Math.ceil(perSecond));

/** The pace, in polls per second, after `answers` good answers of full turns: a second of them adds `growthPerSecond`. */
export const fasterPace = (perSecond: number, answers: number, { maxPace }: Pick<PollTurn, 'maxPace'>): number =>
  Math.min(maxPace, perSecond + (pollRules.growthPerSecond * answers) / perSecond);

/** The pace after trouble, in polls per second. */
export const slowerPace = (perSecond: number): number => Math.max(pollRules.minPerSecond, perSecond / 2);
