import { isRecord, type JsonRecord } from "../../shared/json-fields.ts";

const RENAMED: ReadonlyMap<string, string> = new Map([
  ["ImageUrl", "image_url"],
  ["ToolCalls", "tool_calls"],
  ["ToolCallId", "tool_call_id"],
  ["FinishReason", "finish_reason"],
  ["ReasoningContent", "reasoning_content"],
  ["PromptTokens", "prompt_tokens"],
  ["CompletionTokens", "completion_tokens"],
  ["TotalTokens", "total_tokens"],
  ["PromptTokensDetails", "prompt_tokens_details"],
  ["CachedTokens", "cached_tokens"],
]);
const OURS = new Map([...RENAMED].map(([theirs, ours]) => [ours, theirs]));

/** Counts that Tencent writes as text. */
const COUNTS: ReadonlySet<string> = new Set(["cached_tokens"]);
const SENSITIVE = "sensitive";

export function fromTencentNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromTencentNames);
  if (!isRecord(value)) return value;
  const named = Object.entries(value).map(([theirs, inner]): [string, unknown] => {
    const name = RENAMED.get(theirs) ?? theirs.toLowerCase();
    if (COUNTS.has(name)) return [name, Number(inner)];
    if (name === "finish_reason" && inner === SENSITIVE) return [name, "content_filter"];
    return [name, fromTencentNames(inner)];
  });
  return Object.fromEntries(named);
}

export function toTencentNames(value: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(value).map(([ours, inner]) => [theirNameOf(ours), renamed(inner)]));
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  return isRecord(value) ? toTencentNames(value) : value;
}

function theirNameOf(ours: string): string {
  return OURS.get(ours) ?? ours.slice(0, 1).toUpperCase() + ours.slice(1);
}
