/** Milliseconds that a refused caller waits at least: more than it takes to look an app up, wherever it is found or not. */
const floorMs = 10;

/**
 * Resolves when a refusal may leave, so that its time does not tell whether an app is known, and how many secrets it has (threat
 * T2, R22). To be asked for as a call comes in: a timer that is set as the call is refused tells by its rounding when that was.
 */
export const refusalFloor = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, floorMs));
