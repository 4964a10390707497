/** Counts durations by fixed bounds. One addition and a few comparisons for each. */
export class Durations {
  private readonly counts: number[];
  private sumMs = 0;

  /** `edgesMs`: upper bounds of the buckets, ascending; longer ones go into one more. */
  constructor(private readonly edgesMs: readonly number[]) {
    this.counts = Array.from({ length: edgesMs.length + 1 }, () => 0);
  }

  add(ms: number): void {
    const { edgesMs, counts } = this;
    let bucket = 0;
    while (bucket < edgesMs.length && ms > edgesMs[bucket]!) bucket++;
    counts[bucket]!++;
    this.sumMs += ms;
  }

  /** The count of each bucket, not summed up, the last one beyond all bounds; then the sum, in milliseconds. */
  values(): readonly number[] {
    return [...this.counts, this.sumMs];
  }
}
