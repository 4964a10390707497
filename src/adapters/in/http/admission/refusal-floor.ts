/** Minimum milliseconds before a refusal is sent: longer than a lookup of an app takes, whether it is found or not. */
const floorMs = 10;
/** Calls that arrive within this many milliseconds share a timer; the last of them still waits for the whole floor. */
const sharedMs = 1;

let shared = { until: -Infinity, passed: Promise.resolve() };

/**
 * Resolves when a refusal may be sent, so that its timing does not reveal whether an app exists or how many secrets it has
 * (contract/authentication#basic). Call it when the request arrives: a timer that starts at the refusal would reveal that moment by its
 * rounding.
 */
export function refusalFloor(): Promise<void> {
  const now = performance.now();
  if (now >= shared.until) {
    const passed = new Promise<void>((resolve) => setTimeout(resolve, floorMs + sharedMs));
    shared = { until: now + sharedMs, passed };
  }
  return shared.passed;
}
