/** How a limit stands after one more was counted. */
export interface RateCount {
  /** How many pass in a window. */
  readonly limit: number;
  /** How many still pass in this one. */
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetS: number;
}
