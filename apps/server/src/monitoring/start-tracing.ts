import {
  type Context,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent, TRACE_PARENT_HEADER } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import type { Logger } from "pino";
import type { Clock } from "../platform/clock.ts";
import type { Arrival, EndedRequest, RequestTrace, RequestTracer, TracedAttempt } from "../relay/telemetry/index.ts";

export interface TracingOptions {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Part of the requests without a caller's trace that is traced, 0 to 1. */
  readonly sample: number;
}

interface TracingParts {
  readonly version: string;
  readonly instanceName: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Starts to send traces. Its packages are loaded with this file alone. */
export function startTracing(
  { endpoint, headers, serviceName, sample }: TracingOptions,
  { version, instanceName, clock, log }: TracingParts,
): RequestTracer {
  const report = (message: string) => log.warn({ err: new Error(message) }, "traces could not be sent");
  const ignore = (): void => undefined;
  diag.setLogger({ error: report, warn: report, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces`, headers: { ...headers } });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": serviceName,
      "service.version": version,
      ...(instanceName !== undefined && { "service.instance.id": instanceName }),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sample) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer("one-api", version);
  const epochMs = (monotonicMs: number) => clock.nowMs() - (clock.monotonicMs() - monotonicMs);
  return {
    begin(arrival, startedMs) {
      const span = tracer.startSpan(
        "request",
        { kind: SpanKind.SERVER, startTime: epochMs(startedMs) },
        contextOf(arrival),
      );
      const context = trace.setSpan(ROOT_CONTEXT, span);
      return new OpenTrace(span, (attempt) => {
        const operation = operationOf(attempt.endpoint);
        return tracer.startSpan(
          `${operation} ${attempt.model}`,
          { kind: SpanKind.CLIENT, attributes: attributesOfAttempt(attempt, operation) },
          context,
        );
      });
    },
    close: () => provider.shutdown().catch((error: unknown) => report(String(error))),
  };
}

function contextOf({ headers }: Arrival): Context {
  const header = headers[TRACE_PARENT_HEADER];
  const parent = typeof header === "string" ? parseTraceParent(header) : null;
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

class OpenTrace implements RequestTrace {
  readonly #span: Span;
  readonly #begin: (attempt: TracedAttempt) => Span;
  #attempt: Span | undefined;

  constructor(span: Span, begin: (attempt: TracedAttempt) => Span) {
    this.#span = span;
    this.#begin = begin;
  }

  beginAttempt(attempt: TracedAttempt): Readonly<Record<string, string>> {
    this.#attempt = this.#begin(attempt);
    const { traceId, spanId, traceFlags } = this.#attempt.spanContext();
    return { [TRACE_PARENT_HEADER]: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}` };
  }

  endAttempt(status: number, failure: string): void {
    if (status > 0) this.#attempt?.setAttribute("http.response.status_code", status);
    if (failure !== "") this.#attempt?.setAttribute("error.type", failure).setStatus({ code: SpanStatusCode.ERROR });
    this.#attempt?.end();
    this.#attempt = undefined;
  }

  end(request: EndedRequest): void {
    this.endAttempt(0, "aborted");
    const { parsed, result, end } = request;
    const name = parsed === undefined ? undefined : `${operationOf(parsed.endpoint)} ${parsed.model}`;
    this.#span.updateName(name?.trim() ?? "request");
    this.#span.setAttributes(attributesOfRequest(request));
    if (result !== "ok") this.#span.setAttribute("error.type", end || result).setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}

/** Attributes of a request. Names: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ */
function attributesOfRequest(request: EndedRequest): Record<string, string | number | boolean | undefined> {
  const { arrival, parsed, caller, route, usage, firstByteMs } = request;
  return {
    "gen_ai.operation.name": parsed && operationOf(parsed.endpoint),
    "gen_ai.request.model": parsed?.model,
    "gen_ai.request.stream": parsed?.stream,
    "gen_ai.response.model": route?.upstreamModel || undefined,
    "gen_ai.response.time_to_first_chunk": parsed?.stream === true && firstByteMs > 0 ? firstByteMs / 1_000 : undefined,
    "gen_ai.usage.input_tokens": usage?.promptTokens,
    "gen_ai.usage.cache_read.input_tokens": usage?.cachedTokens,
    "gen_ai.usage.output_tokens": usage?.completionTokens,
    "one_api.request.id": arrival.requestId,
    "one_api.endpoint": parsed?.endpoint,
    "one_api.dialect": arrival.dialect.name,
    "one_api.user.id": caller?.userId,
    "one_api.token.id": caller?.tokenId,
    "one_api.channel.id": route?.id,
    "one_api.result": request.result,
    "one_api.charge": request.charge,
    "one_api.overhead": request.gatewayMs === undefined ? undefined : request.gatewayMs / 1_000,
  };
}

function attributesOfAttempt({ channelId, channelType, model, url }: TracedAttempt, operation: string) {
  return {
    "gen_ai.operation.name": operation,
    "gen_ai.provider.name": providerOf(channelType),
    "gen_ai.request.model": model,
    "server.address": URL.parse(url)?.hostname,
    "one_api.channel.id": channelId,
  };
}

const OPERATIONS: Readonly<Record<string, string>> = {
  "chat-completions": "chat",
  responses: "chat",
  completions: "text_completion",
  "image-generations": "generate_content",
  "image-edits": "generate_content",
  "image-variations": "generate_content",
};

function operationOf(endpoint: string): string {
  return OPERATIONS[endpoint] ?? endpoint.replaceAll("-", "_");
}

const PROVIDERS: Readonly<Record<string, string>> = {
  azure: "azure.ai.openai",
  aws: "aws.bedrock",
  gemini: "gcp.gemini",
  mistral: "mistral_ai",
  vertex: "gcp.vertex_ai",
  xai: "x_ai",
};

function providerOf(channelType: number): string {
  const name = channelTypeInfo(channelType)?.name ?? "custom";
  return PROVIDERS[name] ?? name;
}
