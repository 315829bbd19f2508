import { Counter, Gauge, type LabelValues, type Registry } from "prom-client";

type Samples = readonly (readonly [labels: LabelValues<string>, value: number])[];

interface SeriesOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

export interface SeriesOf {
  readonly counter: (options: SeriesOptions, read: () => Samples) => void;
  readonly gauge: (options: SeriesOptions, read: () => Samples | Promise<Samples>) => void;
}

export function seriesOf(registry: Registry): SeriesOf {
  const configuration = ({ name, help, labelNames = [] }: SeriesOptions) => ({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
  });
  return {
    counter(options, read) {
      const counter: Counter = new Counter({
        ...configuration(options),
        collect() {
          counter.reset();
          for (const [labels, value] of read()) counter.inc(labels, value);
        },
      });
    },
    gauge(options, read) {
      const gauge: Gauge = new Gauge({
        ...configuration(options),
        async collect() {
          const samples = await read();
          gauge.reset();
          for (const [labels, value] of samples) gauge.set(labels, value);
        },
      });
    },
  };
}
