import type { IncomingHttpHeaders } from "node:http";
import { anthropicMessages } from "@one-api/providers/protocols/anthropic-messages/anthropic-messages";
import { findIndispensable } from "@one-api/providers/protocols/anthropic-messages/read-request";
import { NEWER_VERSION, OLDER_VERSION, priceFactorOf } from "@one-api/providers/protocols/anthropic-messages/usage";
import { type JsonRecord, recordOf } from "@one-api/providers/shared/json-fields";
import { type ParsedRequest, parseRequest, type RequestBody, type RequestShape } from "../body/index.ts";
import { RelayError, UPSTREAM_OVERLOADED } from "../errors/index.ts";
import type { CallPath, Dialect } from "./dialect.ts";
import { writeAnthropicLimits } from "./limit-headers.ts";
import { credentialReader, headerOf } from "./read-credential.ts";
import type { CallableModel } from "./callable-model.ts";

function wantsReasoning({ thinking, output_config: output }: JsonRecord): boolean | undefined {
  const { type } = recordOf(thinking);
  if (type === "disabled") return false;
  return type !== undefined || typeof recordOf(output).effort === "string" ? true : undefined;
}

const VERSIONS = [OLDER_VERSION, NEWER_VERSION] as const;

/** Messages by version. The version decides the form of a re-encoded answer. */
const SHAPES = new Map<string, RequestShape>(
  VERSIONS.map((version) => [
    version,
    {
      endpoint: "chat-completions",
      format: anthropicMessages(version),
      required: ["messages"],
      isList: true,
      limits: ["max_tokens"],
      wantsUsage: () => true,
      mostPriceFactor: priceFactorOf,
      wantsReasoning,
      needsOwnFormat: (json) => findIndispensable(json).length > 0,
    },
  ]),
);

/** Query by which clients mark beta requests. It is forwarded to Anthropic; other parameters are not. */
const BETA_QUERY = "beta=true";

const MESSAGES: CallPath = { parseRequest: (body, headers) => readMessages(body, headers, "") };
const BETA_MESSAGES: CallPath = { parseRequest: (body, headers) => readMessages(body, headers, BETA_QUERY) };

/** https://docs.anthropic.com/en/api/overview */
export const anthropic: Dialect = {
  name: "anthropic",
  callAt: (path, query) => (path === "/v1/messages" ? pathOf(query) : undefined),
  countAt: (path, query) => (path === "/v1/messages/count_tokens" ? pathOf(query) : undefined),
  isSpoken: (headers) => headers["anthropic-version"] !== undefined,
  requestIdHeader: "request-id",
  writeLimits: writeAnthropicLimits,
  // The older version sends the key in its own header, the newer as a bearer token. Both are accepted with either.
  readCredential: credentialReader("x-api-key"),
  statusOf,
  writeError,
  writeModel,
  writeModels: (models) => ({
    data: models.map(writeModel),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  }),
  writeCount: (promptTokens) => ({ input_tokens: promptTokens }),
};

function pathOf(query: string): CallPath {
  return query.split("&").includes(BETA_QUERY) ? BETA_MESSAGES : MESSAGES;
}

function readMessages(body: RequestBody, headers: IncomingHttpHeaders, formatQuery: string): ParsedRequest {
  const version = headerOf(headers, "anthropic-version") || OLDER_VERSION;
  const beta = headerOf(headers, "anthropic-beta");
  const shape = SHAPES.get(version);
  if (shape === undefined) {
    throw new RelayError({
      status: 400,
      type: "invalid_request_error",
      code: "invalid_version",
      message: `anthropic-version ${version.slice(0, 40)} is not known. Send ${VERSIONS.join(" or ")}.`,
    });
  }
  const formatHeaders = { "anthropic-version": version, ...(beta !== "" && { "anthropic-beta": beta }) };
  return parseRequest(shape, body, { formatHeaders, formatQuery });
}

/** https://docs.anthropic.com/en/api/models-list */
function writeModel({ id, createdSeconds }: CallableModel): unknown {
  return { type: "model", id, display_name: id, created_at: new Date(createdSeconds * 1_000).toISOString() };
}

/** Source: https://docs.anthropic.com/en/api/errors */
const TYPE_OF_STATUS: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** Anthropic's status for an overload. At 503 its clients fall back to another model instead of retrying. */
const OVERLOADED = 529;

function statusOf({ status, code }: RelayError): number {
  return code === UPSTREAM_OVERLOADED ? OVERLOADED : status;
}

function typeOf({ status, code }: RelayError): string {
  if (code === "insufficient_quota") return "billing_error";
  return TYPE_OF_STATUS[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
}

/** Anthropic's SDK continues without a thread after this code. Source: its `lib/internal/threads/ThreadState`, version 1.12. */
const NO_THREADS = { error_code: "thread_unsupported_request", unsupported: ["thread"] };

function detailsOf({ code, param }: RelayError): object {
  if (param === "thread") return { details: NO_THREADS };
  return code === null ? {} : { details: { error_code: code } };
}

const ANTHROPIC_OVERFLOW = /prompt is too long|exceed context limit/i;

function messageOf({ message, param, overflow }: RelayError): string {
  if (overflow === undefined) return param === null ? message : `${param}: ${message}`;
  if (ANTHROPIC_OVERFLOW.test(message)) return message;
  const { tokens, limit } = overflow;
  const numbers = tokens === undefined || limit === undefined ? "" : `: ${tokens} tokens > ${limit} maximum`;
  return `prompt is too long${numbers} (${message})`;
}

function writeError(error: RelayError, requestId: string): string {
  const message = `${messageOf(error)} (request id: ${requestId})`;
  return JSON.stringify({
    type: "error",
    error: { type: typeOf(error), message, ...detailsOf(error) },
    request_id: requestId,
  });
}
