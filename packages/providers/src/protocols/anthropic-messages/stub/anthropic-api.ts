import type { IncomingHttpHeaders } from "node:http";
import { bearerKey, type OpenAiErrorBody, refuse } from "../../../stub-kit/refusal.ts";

const ANTHROPIC_VERSIONS = ["2023-06-01", "2026-10-21"] as const;
export type AnthropicVersion = (typeof ANTHROPIC_VERSIONS)[number];

/** Reads the key from the header of the request's version. Throws RequestRefused for an unknown version. */
export function anthropicKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["x-api-key"];
  if (readVersion(headers) === "2026-10-21") return bearerKey(headers.authorization);
  return typeof key === "string" ? key : bearerKey(headers.authorization);
}

export function readVersion(headers: IncomingHttpHeaders): AnthropicVersion {
  const named = headers["anthropic-version"];
  return ANTHROPIC_VERSIONS.find((known) => known === named) ?? refuse("anthropic-version: header is required");
}

const typeOfStatus: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

export function anthropicErrorBody(status: number, { error }: OpenAiErrorBody): object {
  const type = typeOfStatus[status] ?? "api_error";
  const details = error.code === null ? {} : { details: { error_code: error.code } };
  return { type: "error", error: { type, message: error.message, ...details }, request_id: "req_fake" };
}
