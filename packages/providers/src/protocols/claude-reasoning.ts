import { claudeThinkingOf } from "../models/api-facts.ts";
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

/** How a request says how much to think; both undefined where the model is to do as it does. */
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
 * Writes how much the model is to think, as it understands it. Where Anthropic would refuse it the wish is dropped visibly: a tool is forced, the
 * answer's limit leaves no room for a budget, or a turn with calls goes on that does not begin with a thought of its own.
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
 * Returns whether the turn that goes on, if one does, begins with a thought of Claude's own. A turn goes on after the result of a tool, whatever the
 * user says behind it. Thinking by a budget needs that; adaptive thinking does not.
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

/** False for what is left out of a request to Claude: empty texts, and thoughts that Claude has not signed. */
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
