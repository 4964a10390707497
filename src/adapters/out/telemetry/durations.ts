/** Counts durations in fixed buckets, with one addition and a few comparisons per duration. */
export class Durations {
  private readonly counts: number[];
  private sumMs = 0;

  /** `edgesMs`: upper bounds of the buckets, ascending. Longer durations are counted in one additional bucket. */
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

  /** The count of each bucket, not cumulative, the additional one last; then the sum in milliseconds. */
  values(): readonly number[] {
    return [...this.counts, this.sumMs];
  }
}
