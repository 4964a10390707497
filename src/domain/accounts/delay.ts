/** How long one waits after failed sign-ins: not at all after the first four, then 30 s, a minute, and so on up to 15 minutes. */
export const delayRules = {
  /** Attempts in a row without a wait, of one address at one account. */
  free: 4,
  /** The same of one account from all addresses together: a stranger elsewhere must not lock its owner out. */
  freeOfAccount: 100,
  firstMs: 30_000,
  mostMs: 15 * 60_000,
  /** Milliseconds without an attempt after which all is forgotten. */
  forgottenMs: 24 * 3_600_000,
} as const;

/** The wait, in milliseconds, after so many attempts in a row. */
export const delayAfter = (attempts: number, free: number = delayRules.free): number =>
  attempts <= free ? 0 : Math.min(delayRules.mostMs, delayRules.firstMs * 2 ** Math.min(20, attempts - free - 1));
