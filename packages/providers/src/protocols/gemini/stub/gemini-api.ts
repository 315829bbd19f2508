import type { IncomingHttpHeaders } from "node:http";
import type { OpenAiErrorBody } from "../../../stub-kit/refusal.ts";

/** The key from the header. The URL authorizes the end of an upload. */
export function geminiKey(headers: IncomingHttpHeaders): string | undefined {
  if (String(headers["x-goog-upload-command"]).includes("finalize")) return "upload";
  const key = headers["x-goog-api-key"];
  return typeof key === "string" && key !== "" ? key : undefined;
}

const nameOfStatus: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** A wrong key is a bad request with a reason. Source: https://ai.google.dev/gemini-api/docs/troubleshooting */
export function geminiErrorBody(status: number, { error }: OpenAiErrorBody): object {
  const isKey = error.code === "invalid_api_key";
  const reason = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason: "API_KEY_INVALID",
    domain: "googleapis.com",
  };
  const retry = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "20s" };
  const details = isKey ? [reason] : status === 429 ? [retry] : undefined;
  const name = isKey ? "INVALID_ARGUMENT" : (nameOfStatus[status] ?? "UNKNOWN");
  return { error: { code: isKey ? 400 : status, message: error.message, status: name, ...(details && { details }) } };
}
