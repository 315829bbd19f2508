import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Clock } from "../platform/clock.ts";
import { createRequestLog, type RequestTracer, Telemetry } from "../relay/telemetry/index.ts";
import { type BalanceCheck, createBalanceCheck } from "./balance-check.ts";
import { createMetrics, type Metrics, type MetricsParts } from "./create-metrics.ts";

interface TelemetryParts {
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Starts request log and traces as configured. The tracer is to be closed after the last request; undefined without tracing. */
export async function startTelemetry(
  { requestLog, tracing, instanceName }: Config,
  parts: TelemetryParts,
): Promise<{ readonly telemetry: Telemetry; readonly tracer: RequestTracer | undefined }> {
  const telemetry = new Telemetry();
  if (requestLog !== undefined) telemetry.observe(createRequestLog(parts.log, requestLog));
  if (tracing === undefined) return { telemetry, tracer: undefined };
  // Its packages are loaded where it is on.
  const { startTracing } = await import("./start-tracing.ts");
  const tracer = startTracing(tracing, { ...parts, instanceName });
  telemetry.trace(tracer);
  return { telemetry, tracer };
}

interface ServerMetrics {
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
}

/** Counts from the start where the operator has set up a monitor, else from the first read. `stop` ends the check of the balances. */
export function startMetrics(
  config: Config,
  parts: Omit<MetricsParts, "labelLimit" | "balances"> & { readonly log: Logger },
): { readonly deps: ServerMetrics; readonly balances: BalanceCheck; readonly stop: () => void } {
  const { metricsToken, metricsServer, metricsLabelLimit: labelLimit, balanceCheckHours: everyHours } = config;
  const balances = createBalanceCheck({ everyHours, clock: parts.clock, log: parts.log });
  const metrics = createMetrics({ ...parts, balances, labelLimit });
  const isOnMainPort = metricsToken !== "" || metricsServer === undefined;
  if (metricsToken !== "" || metricsServer !== undefined) metrics.start();
  const deps = { metrics, metricsToken: isOnMainPort ? metricsToken : undefined };
  return { deps, balances, stop: () => balances.stop() };
}
