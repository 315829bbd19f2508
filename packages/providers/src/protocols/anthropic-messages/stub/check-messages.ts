import {
  countField,
  isJsonObject,
  type JsonObject,
  listField,
  objectField,
  objectsField,
} from "../../../stub-kit/json-fields.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { signThought } from "../../../stub-kit/thought.ts";
import type { AnthropicVersion } from "./anthropic-api.ts";

const FIELDS = new Set(
  `cache_control container diagnostics inference_geo max_tokens messages metadata model output_config service_tier speed
  stop_sequences stream system thread thinking tool_choice tools`.split(/\s+/),
);
/** Fields that the newer version has removed. */
const SAMPLING_FIELDS = new Set(["temperature", "top_k", "top_p"]);

const LEAST_BUDGET = 1_024;

/** Fields that require a beta. Source: https://platform.claude.com/docs/en/build-with-claude/context-editing */
const BETA_FIELDS: Readonly<Record<string, string>> = { context_management: "context-management-2025-06-27" };

/** Refuses the requests that Anthropic refuses, so that tests notice invalid translations. Throws RequestRefused (400). */
export function checkMessages(body: JsonObject, version: AnthropicVersion, betas: string): void {
  for (const name of Object.keys(body)) {
    const beta = BETA_FIELDS[name];
    if (beta !== undefined && betas.includes(beta)) continue;
    if (!FIELDS.has(name) && (version === "2026-10-21" || !SAMPLING_FIELDS.has(name))) {
      refuse(`${name}: Extra inputs are not permitted`);
    }
  }
  const maxTokens = countField(body, "max_tokens", 1) ?? refuse("max_tokens: Field required");
  const list = listField(body, "messages");
  if (list.length === 0) refuse("messages: at least one message is required");
  const called = new Set<unknown>();
  for (const [index, message] of list.entries()) {
    if (!isJsonObject(message)) refuse(`messages.${index}: Input should be an object`);
    checkRole(message, index, version);
    for (const block of listField(message, "content")) checkBlock(block, `messages.${index}.content`, called);
  }
  if (called.size > 0 && listField(body, "tools").length === 0) {
    refuse("Requests which have `tool_use` or `tool_result` blocks in `messages` must define tools.");
  }
  checkThinking(body, maxTokens);
}

function checkRole(message: JsonObject, index: number, version: AnthropicVersion): void {
  const { role } = message;
  const isKnown = role === "user" || role === "assistant" || (role === "system" && version === "2026-10-21");
  if (!isKnown) refuse(`messages.${index}.role: Unexpected role "${String(role)}"`);
}

function checkBlock(block: unknown, place: string, called: Set<unknown>): void {
  if (!isJsonObject(block)) refuse(`${place}: Input should be an object`);
  switch (block["type"]) {
    case "text":
      if (block["text"] === "") refuse("messages: text content blocks must be non-empty");
      break;
    case "tool_use":
      if (!isJsonObject(block["input"])) refuse(`${place}.tool_use.input: Input should be a valid dictionary`);
      called.add(block["id"]);
      break;
    case "tool_result":
      if (!called.has(block["tool_use_id"])) {
        refuse(`${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(block["tool_use_id"])}`);
      }
      break;
    case "thinking":
      if (block["signature"] !== signThought(String(block["thinking"]))) {
        refuse(`${place}: Invalid \`signature\` in \`thinking\` block`);
      }
      break;
    case "image":
    case "document":
      checkSource(block["source"], place);
      break;
    default:
  }
}

function checkSource(source: unknown, place: string): void {
  if (!isJsonObject(source)) refuse(`${place}.source: Field required`);
  if (source["type"] === "base64" && typeof source["media_type"] !== "string")
    refuse(`${place}.source.media_type: Field required`);
}

function checkThinking(body: JsonObject, maxTokens: number): void {
  const thinking = body["thinking"];
  if (!isJsonObject(thinking) || thinking["type"] === "disabled") return;
  const budget = countField(thinking, "budget_tokens", 0);
  if (thinking["type"] === "enabled" && (budget === undefined || budget < LEAST_BUDGET)) {
    refuse("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024");
  }
  if (budget !== undefined && budget >= maxTokens) refuse("`max_tokens` must be greater than `thinking.budget_tokens`");
  const { type: choice } = objectField(body, "tool_choice");
  if (choice === "any" || choice === "tool") {
    refuse("Thinking may not be enabled when tool_choice forces tool use.");
  }
  const { temperature } = body;
  if (temperature !== undefined && temperature !== 1)
    refuse("`temperature` may only be set to 1 when thinking is enabled");
  const last = objectsField(body, "messages").findLast(({ role }) => role === "assistant");
  const blocks = objectsField(last ?? {}, "content");
  const [first] = blocks;
  const isCall = blocks.some(({ type }) => type === "tool_use");
  if (isCall && first?.["type"] !== "thinking" && first?.["type"] !== "redacted_thinking") {
    refuse("Expected `thinking` or `redacted_thinking`, but found `tool_use`");
  }
}
