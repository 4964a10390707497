/** Of what is old, in a process with few partners: R32, and 150 MB under load. */
export const leastGrowthPercent = 12;
const mostGrowthPercent = 50;
/** Bytes of heap in use up to which the least holds, and from which on the most does. */
const [few, many] = [70_000_000, 130_000_000];

/**
 * By how many percent what is old may grow before it is collected. A full collection costs by what is kept: with the records of ten
 * thousand partners three times as much as without, and more is made old between two of them (ADR 040).
 */
export function growthPercent(usedBytes: number): number {
  const part = Math.min(1, Math.max(0, (usedBytes - few) / (many - few)));
  return Math.round(leastGrowthPercent + part * (mostGrowthPercent - leastGrowthPercent));
}
