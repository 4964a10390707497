/** Waits after failed sign-ins: none after the first four, then 30 s, a minute, and so on up to 15 minutes. */
export const delayRules = {
  /** Consecutive attempts without a wait, from one address at one account. */
  free: 4,
  /** The same for one account from all addresses together; higher, so that a stranger elsewhere cannot lock its owner out. */
  freeOfAccount: 100,
  firstMs: 30_000,
  maxMs: 15 * 60_000,
  /** Milliseconds without an attempt after which the count is reset. */
  forgottenMs: 24 * 3_600_000,
} as const;

/** The wait, in milliseconds, after so many consecutive attempts. */
export const delayAfter = (attempts: number, free: number = delayRules.free): number =>
  attempts <= free ? 0 : Math.min(delayRules.maxMs, delayRules.firstMs * 2 ** Math.min(20, attempts - free - 1));
