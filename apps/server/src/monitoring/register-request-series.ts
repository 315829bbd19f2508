import type { Registry } from "prom-client";
import type { RequestCounts } from "../relay/telemetry/index.ts";
import { BucketHistogram, type BucketHistogramOptions, type LabelledBuckets } from "./bucket-histogram.ts";
import { seriesOf } from "./series.ts";

export function registerRequestSeries(registry: Registry, counts: RequestCounts): void {
  const { counter } = seriesOf(registry);
  counter(
    {
      name: "one_api_requests_total",
      help: "Relayed requests that have ended",
      labelNames: ["endpoint", "dialect", "model", "channel", "result"],
    },
    () =>
      counts.counts.flatMap(({ endpoint, dialect, model, channel, results }) =>
        [...results].map(([result, count]) => [{ endpoint, dialect, model, channel, result }, count] as const),
      ),
  );
  registerUsageSeries(registry, counts);
  counter(
    {
      name: "one_api_upstream_attempts_total",
      help: "Attempts at providers; a request may have several",
      labelNames: ["channel", "outcome"],
    },
    () =>
      [...counts.attempts].flatMap(([channel, outcomes]) =>
        [...outcomes].map(([outcome, count]) => [{ channel, outcome }, count] as const),
      ),
  );
  counter(
    {
      name: "one_api_refusals_total",
      help: "Requests that the gateway refused, with the code of the error and the limit per minute that was reached",
      labelNames: ["code", "limit"],
    },
    () =>
      [...counts.refusals].flatMap(([code, limits]) =>
        [...limits].map(([limit, count]) => [{ code, limit }, count] as const),
      ),
  );
  registerTimes(registry, counts);
}

function registerUsageSeries(registry: Registry, { counts }: RequestCounts): void {
  const { counter } = seriesOf(registry);
  const labelsOf = ({ endpoint, dialect, model, channel }: (typeof counts)[number]) => ({
    endpoint,
    dialect,
    model,
    channel,
  });
  counter(
    {
      name: "one_api_tokens_total",
      help: "Tokens of settled requests; cached ones are a part of the prompt",
      labelNames: ["endpoint", "dialect", "model", "channel", "kind"],
    },
    () =>
      counts.flatMap((count) => [
        [{ ...labelsOf(count), kind: "prompt" }, count.promptTokens] as const,
        [{ ...labelsOf(count), kind: "cached" }, count.cachedTokens] as const,
        [{ ...labelsOf(count), kind: "completion" }, count.completionTokens] as const,
      ]),
  );
  counter(
    {
      name: "one_api_quota_charged_total",
      help: "Quota charged for settled requests",
      labelNames: ["endpoint", "dialect", "model", "channel"],
    },
    () => counts.map((count) => [labelsOf(count), count.charge] as const),
  );
}

function registerTimes(registry: Registry, { timings, gateway }: RequestCounts): void {
  const labelNames = ["model", "channel"];
  const histogram = (options: BucketHistogramOptions, read: () => Iterable<LabelledBuckets>) =>
    registry.registerMetric(new BucketHistogram(options, read));
  histogram(
    {
      name: "one_api_first_token_seconds",
      help: "From the arrival of a request to the first content of its stream",
      labelNames,
    },
    () => timings.map(({ model, channel, firstToken }) => [{ model, channel }, firstToken] as const),
  );
  histogram(
    {
      name: "one_api_request_duration_seconds",
      help: "From the arrival of a request to its settlement, where an answer came",
      labelNames,
    },
    () => timings.map(({ model, channel, total }) => [{ model, channel }, total] as const),
  );
  histogram(
    {
      name: "one_api_gateway_overhead_seconds",
      help: "Time that the gateway added to a request: without its upload and without waiting for providers",
      labelNames: ["endpoint"],
    },
    () => [...gateway].map(([endpoint, buckets]) => [{ endpoint }, buckets] as const),
  );
}
