/** The state of a rate limit after one more call was counted. */
export interface RateCount {
  /** Calls allowed in a window. */
  readonly limit: number;
  /** Calls left in the current window. */
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetS: number;
}
