import { setImmediate as nextTurn } from "node:timers/promises";
import { collectDefaultMetrics, Registry } from "prom-client";
import { RequestCounts, type Telemetry } from "../relay/telemetry/index.ts";
import { registerRequestSeries } from "./register-request-series.ts";
import { registerServerSeries, type ServerParts } from "./register-server-series.ts";

export interface Metrics {
  start(): void;
  /** Returns all series in the text format of Prometheus. Starts to count requests at the first read. */
  read(): Promise<string>;
  readonly contentType: string;
}

export interface MetricsParts extends ServerParts {
  readonly telemetry: Telemetry;
  readonly labelLimit: number;
}

/** Creates the metrics. A gateway without a monitor counts nothing. */
export function createMetrics(parts: MetricsParts): Metrics {
  let registry: Registry | undefined;
  const start = (): Registry => {
    if (registry !== undefined) return registry;
    registry = new Registry();
    const counts = new RequestCounts(parts.labelLimit);
    parts.telemetry.observe((request) => counts.add(request));
    collectDefaultMetrics({ register: registry });
    registerRequestSeries(registry, counts);
    registerServerSeries(registry, parts);
    parts.balances.start();
    return registry;
  };
  return {
    start: () => void start(),
    read: () => readAll(start()),
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
  };
}

/** Reads one metric after the other, and lets requests be served in between. */
async function readAll(registry: Registry): Promise<string> {
  const texts: string[] = [];
  for (const { name } of registry.getMetricsAsArray()) {
    texts.push(await registry.getSingleMetricAsString(name));
    await nextTurn();
  }
  return `${texts.join("\n\n")}\n`;
}
