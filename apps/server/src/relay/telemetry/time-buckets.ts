/** Counts durations in buckets, as a Prometheus histogram has them. */
export class TimeBuckets {
  /** Upper bounds, in ms, ascending. */
  readonly boundsMs: readonly number[];
  /** Number of durations in each bucket, not cumulative; the last one is above all bounds. */
  readonly counts: Float64Array;
  sumMs = 0;

  constructor(boundsMs: readonly number[]) {
    this.boundsMs = boundsMs;
    this.counts = new Float64Array(boundsMs.length + 1);
  }

  add(durationMs: number): void {
    const { boundsMs, counts } = this;
    let index = 0;
    while (index < boundsMs.length && durationMs > (boundsMs[index] ?? 0)) index += 1;
    counts[index] = (counts[index] ?? 0) + 1;
    this.sumMs += durationMs;
  }
}
