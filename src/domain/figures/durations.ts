/** Each step of durations ends a tenth above the one before it: a value read off a step is at most 5 % from the truth. */
export const stepRatio = 1.1;

/** The step that a duration in milliseconds belongs to; 0: up to 1 ms. */
export const stepOf = (ms: number): number => Math.ceil(Math.log(Math.max(Math.round(ms), 1)) / Math.log(stepRatio));

/** What a duration of a step is taken for, in milliseconds. */
export const msOfStep = (step: number): number => Math.max(1, Math.round(stepRatio ** (step - 0.5)));

interface Counted {
  readonly step: number;
  readonly count: number;
}

/** The duration that `share` (0 to 1) of the exchanges stay within, in milliseconds; `undefined`: there are none. */
export function percentile(counted: readonly Counted[], share: number): number | undefined {
  const rising = [...counted].sort((a, b) => a.step - b.step);
  const wanted = Math.max(1, Math.ceil(rising.reduce((all, { count }) => all + count, 0) * share));
  let seen = 0;
  for (const { step, count } of rising) {
    seen += count;
    if (seen >= wanted) return msOfStep(step);
  }
  return undefined;
}
