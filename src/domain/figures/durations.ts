import type { StepCount } from './ports';

/** Each step ends a tenth above the previous one, so that a duration derived from a step is at most 5 % off. */
export const stepRatio = 1.1;

/** The step of a duration in milliseconds; 0: up to 1 ms. */
export const stepOf = (ms: number): number => Math.ceil(Math.log(Math.max(Math.round(ms), 1)) / Math.log(stepRatio));

/** The duration that represents a step, in milliseconds. */
export const msOfStep = (step: number): number => Math.max(1, Math.round(stepRatio ** (step - 0.5)));

/** The duration within which `share` (0 to 1) of the exchanges stay, in milliseconds; `undefined` when there are none. */
export function percentile(counted: readonly StepCount[], share: number): number | undefined {
  const rising = [...counted].sort((a, b) => a.step - b.step);
  const wanted = Math.max(1, Math.ceil(rising.reduce((all, { count }) => all + count, 0) * share));
  let seen = 0;
  for (const { step, count } of rising) {
    seen += count;
    if (seen >= wanted) return msOfStep(step);
  }
  return undefined;
}
