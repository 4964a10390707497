/** Milliseconds that a refused caller waits at least: more than it takes to look an app up, wherever it is found or not. */
const floorMs = 10;
/** Calls that come in within so many milliseconds share a timer, the last of them with the floor before it. */
const sharedMs = 1;

let shared = { until: -Infinity, passed: Promise.resolve() };

/**
 * Resolves when a refusal may leave, so that its time does not tell whether an app is known, and how many secrets it has
 * (contract/authentication#basic). To be asked for as a call comes in: a timer that is set as the call is refused tells by its rounding when that was.
 */
export function refusalFloor(): Promise<void> {
  const now = performance.now();
  if (now >= shared.until) {
    const passed = new Promise<void>((resolve) => setTimeout(resolve, floorMs + sharedMs));
    shared = { until: now + sharedMs, passed };
  }
  return shared.passed;
}
