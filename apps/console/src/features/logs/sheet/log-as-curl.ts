import type { Log } from "@one-api/contract/logs/log";
import { curlCall } from "../../../lib/values/call-example.ts";
import { fieldsOf } from "../../../lib/values/read-values.ts";
import { isModelCall } from "../log-types.tsx";

type Body = Readonly<Record<string, unknown>>;

interface Call {
  readonly path: string;
  readonly body: Body;
}

/** Fields that only Anthropic's bodies or messages have. */
const ANTHROPIC_FIELDS = ["system", "anthropic_version", "stop_sequences", "thinking"];
const ANTHROPIC_PARTS = new Set(["tool_use", "tool_result", "image", "thinking"]);
/** Fields of OpenAI's Responses beside an input, which embeddings lack. */
const RESPONSES_FIELDS = ["instructions", "max_output_tokens", "tools", "reasoning", "previous_response_id", "stream"];

const hasAny = (body: Body, names: readonly string[]) => names.some((name) => body[name] !== undefined);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function isAnthropic(body: Body): boolean {
  const parts = listOf(body["messages"]).flatMap((message) => listOf(fieldsOf(message)["content"]));
  return hasAny(body, ANTHROPIC_FIELDS) || parts.some((part) => ANTHROPIC_PARTS.has(String(fieldsOf(part)["type"])));
}

/** Derives a body's path from its fields, because the log does not store it; undefined for an unknown form. */
function pathOf(body: Body, { model_name: model, is_stream: isStream, completion_tokens: answered, detail }: Log) {
  if (body["contents"] !== undefined) {
    const name = encodeURIComponent(model).replaceAll("%2F", "/").replaceAll("%3A", ":");
    return `/v1beta/models/${name}:${isStream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
  }
  if (body["messages"] !== undefined) return isAnthropic(body) ? "/v1/messages" : "/v1/chat/completions";
  if (body["documents"] !== undefined) return "/v1/rerank";
  if (body["prompt"] !== undefined)
    return detail?.charge?.units?.unit === "image" ? "/v1/images/generations" : "/v1/completions";
  if (body["input"] === undefined) return undefined;
  if (body["voice"] !== undefined) return "/v1/audio/speech";
  if (detail?.input_only === "moderations") return "/v1/moderations";
  return answered > 0 || hasAny(body, RESPONSES_FIELDS) ? "/v1/responses" : "/v1/embeddings";
}

function sampleCall({ model_name: model, is_stream: isStream, detail }: Log, sample: string): Call {
  const unit = detail?.charge?.units?.unit;
  if (unit === "image") return { path: "/v1/images/generations", body: { model, prompt: sample } };
  if (unit === "character") return { path: "/v1/audio/speech", body: { model, input: sample, voice: "alloy" } };
  if (detail?.input_only === "embeddings") return { path: "/v1/embeddings", body: { model, input: sample } };
  if (detail?.input_only === "moderations") return { path: "/v1/moderations", body: { model, input: sample } };
  if (unit === "search" || detail?.input_only === "rerank")
    return { path: "/v1/rerank", body: { model, query: sample, documents: [sample] } };
  const messages = [{ role: "user", content: sample }];
  return { path: "/v1/chat/completions", body: { model, messages, ...(isStream ? { stream: true } : {}) } };
}

/** Call with the stored body; undefined if that is truncated or of an unknown form. */
function keptCall(log: Log, request: string): Call | undefined {
  try {
    const body = fieldsOf(JSON.parse(request));
    const path = pathOf(body, log);
    return path === undefined ? undefined : { path, body };
  } catch {
    return undefined;
  }
}

/** Whether an entry is of a request that one command makes again: no batch, and no recording, which would need its file. */
export function canBeCurl({ type, model_name: model, detail }: Log): boolean {
  return isModelCall(type) && model !== "" && detail?.batch === undefined && detail?.charge?.units?.unit !== "second";
}

/**
 * Writes the request of an entry as a curl command, with its stored body, else with a sample message. `address` is the
 * gateway's; the key comes from the environment.
 */
export function logAsCurl(log: Log, address: string, sample: string, request?: string): string {
  const call = (request === undefined ? undefined : keptCall(log, request)) ?? sampleCall(log, sample);
  return curlCall(address, call.path, call.body);
}
