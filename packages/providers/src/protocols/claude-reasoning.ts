import { claudeThinkingOf } from "../model-facts/api-facts.ts";
import {
  type ChatMessage,
  type ChatRequest,
  type Drop,
  effortOfBudget,
  type ReasoningEffort,
  type ReasoningOptions,
} from "../neutral/chat-request.ts";
import type { MessagePart } from "../neutral/message-part.ts";
import { isThought } from "../neutral/sealed-thoughts.ts";
import { isNamed } from "../neutral/signature.ts";
import type { JsonRecord } from "../shared/json-fields.ts";

export interface WrittenReasoning {
  readonly thinking: JsonRecord | undefined;
  readonly effort: string | undefined;
}

const NOTHING: WrittenReasoning = { thinking: undefined, effort: undefined };

const MIN_BUDGET_TOKENS = 1_024;
const BUDGETS: Readonly<Record<Exclude<ReasoningEffort, "none">, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
  max: 32_768,
};

/**
 * Writes the reasoning options of the model. Drops them if Anthropic would refuse them: see `mayThinkByBudget`, a
 * forced tool, and an answer limit below the smallest budget.
 * Source: https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
export function writeReasoning(request: ChatRequest, maxTokens: number, drop: Drop): WrittenReasoning {
  const { reasoning } = request.options;
  if (reasoning === undefined) return NOTHING;
  if (reasoning.mode === "off") return { thinking: { type: "disabled" }, effort: undefined };
  const { effort = "medium", display, budgetTokens } = reasoning;
  if (effort === "none") return NOTHING;
  const thinks = claudeThinkingOf(request.model);
  const shown = display === undefined ? {} : { display };
  if (thinks === "adaptive" || (thinks === "either" && budgetTokens === undefined)) {
    if (!isForced(request)) return { thinking: { type: "adaptive", ...shown }, effort: effortOf(reasoning) };
  } else if (thinks !== "none" && !isForced(request) && mayThinkByBudget(request.messages)) {
    const budget = Math.min(budgetTokens ?? BUDGETS[effort], maxTokens - 1);
    if (budget >= MIN_BUDGET_TOKENS) {
      return { thinking: { type: "enabled", budget_tokens: budget, ...shown }, effort: undefined };
    }
  }
  drop("reasoning_effort");
  return NOTHING;
}

function effortOf({ effort, budgetTokens }: ReasoningOptions): string | undefined {
  if (effort !== undefined) return effort === "minimal" ? "low" : effort;
  return budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens);
}

function isForced({ toolChoice }: ChatRequest): boolean {
  return toolChoice?.type === "required" || toolChoice?.type === "function";
}

/**
 * Returns whether thinking by a budget is allowed. After a tool result the assistant's messages must begin with a
 * thought of Claude's own. Adaptive thinking does not require that.
 * Source: https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html
 */
export function mayThinkByBudget(messages: readonly ChatMessage[]): boolean {
  const said = messages.filter(({ role }) => role !== "system");
  const end = said.findLastIndex(({ role }) => role === "assistant");
  const goesOn = said.slice(end + 1).some(({ parts }) => parts.some(({ type }) => type === "tool-result"));
  if (end === -1 || !goesOn) return true;
  const start = said.slice(0, end).findLastIndex(({ role }) => role !== "assistant") + 1;
  const first = said.slice(start, end + 1).flatMap(({ parts }) => parts.filter(isWritten))[0];
  return isThought(first);
}

/** False for parts that a request to Claude omits: empty texts, and thoughts without Claude's signature. */
function isWritten(part: MessagePart): boolean {
  switch (part.type) {
    case "text":
    case "refusal":
      return part.text !== "";
    case "reasoning":
      return part.signature !== "" && !isNamed(part.signature);
    case "hidden-reasoning":
      return !isNamed(part.data);
    default:
      return true;
  }
}
