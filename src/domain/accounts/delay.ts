/** How long one waits after failed sign-ins: not at all after the first four, then 30 s, a minute, and so on up to 15 minutes. */
export const delayRules = {
  free: 4,
  firstMs: 30_000,
  mostMs: 15 * 60_000,
  /** Milliseconds without an attempt after which all is forgotten. */
  forgottenMs: 24 * 3_600_000,
} as const;

/** The wait, in milliseconds, after so many attempts in a row. */
export const delayAfter = (attempts: number): number =>
  attempts <= delayRules.free ? 0 : Math.min(delayRules.mostMs, delayRules.firstMs * 2 ** Math.min(20, attempts - delayRules.free - 1));
