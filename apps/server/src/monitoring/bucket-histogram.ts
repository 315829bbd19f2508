import { Histogram, type LabelValues } from "prom-client";
import type { TimeBuckets } from "../relay/telemetry/index.ts";

export interface BucketHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

export type LabelledBuckets = readonly [labels: LabelValues<string>, buckets: TimeBuckets];

/** A histogram in seconds of durations that are counted elsewhere. prom-client's own makes a key of all labels for each observation. */
export class BucketHistogram extends Histogram {
  readonly #options: BucketHistogramOptions;
  readonly #read: () => Iterable<LabelledBuckets>;

  constructor(options: BucketHistogramOptions, read: () => Iterable<LabelledBuckets>) {
    const { name, help, labelNames } = options;
    super({ name, help, labelNames: [...labelNames], registers: [] });
    this.#options = options;
    this.#read = read;
  }

  async getForPromString() {
    const { name, help } = this.#options;
    const values = [...this.#read()].flatMap(([labels, buckets]) => samplesOf(name, labels, buckets));
    return { name, help, type: "histogram", values, aggregator: "sum" };
  }
}

function samplesOf(name: string, sharedLabels: LabelValues<string>, { boundsMs, counts, sumMs }: TimeBuckets) {
  let total = 0;
  const buckets = [...counts].map((count, index) => {
    total += count;
    const boundMs = boundsMs[index];
    const labels = { le: boundMs === undefined ? "+Inf" : boundMs / 1_000 };
    return { metricName: `${name}_bucket`, labels, sharedLabels, value: total };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: {}, sharedLabels, value: sumMs / 1_000 },
    { metricName: `${name}_count`, labels: {}, sharedLabels, value: total },
  ];
}
