import type { ChatRequest, Drop, ReasoningEffort } from "../neutral/chat-request.ts";
import { isNamed } from "../neutral/signature.ts";
import type { JsonRecord } from "../shared/json-fields.ts";

/** How a request says how much to think; both undefined where the model is to do as it does. */
export interface WrittenReasoning {
  readonly thinking: JsonRecord | undefined;
  readonly effort: string | undefined;
}

const NOTHING: WrittenReasoning = { thinking: undefined, effort: undefined };

/** Models that cannot think, and those that think by a budget of tokens alone; all newer ones think as much as they see fit, by an effort. */
const THOUGHTLESS = /claude-(?:instant|2|3-(?:opus|sonnet|haiku|5))/;
const BY_BUDGET = /claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[015])?(?:$|[@-]\d{6}|-latest))/;

/** Models of Claude that take a temperature and its like; all newer ones refuse them. Source: https://docs.anthropic.com/en/docs/about-claude/models/migration-guide */
const TAKES_SAMPLING = /claude-(?:instant|v?2|3-|(?:opus|sonnet|haiku)-4(?:-[0-6])?(?:$|[@:]|-(?:\d{6}|v\d|latest)))/;

/** True for a model of Claude that refuses to be told how freely to choose its words. */
export function refusesSampling(model: string): boolean {
  return model.includes("claude-") && !TAKES_SAMPLING.test(model);
}

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
 * Writes how much the model is to think, as it understands it. Where Anthropic would refuse it the wish is dropped visibly: a tool is forced, a
 * turn with calls goes on whose thoughts the caller has not kept, or the answer's limit leaves no room.
 * Source: https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
export function writeReasoning(request: ChatRequest, maxTokens: number, drop: Drop): WrittenReasoning {
  const { reasoning } = request.options;
  if (reasoning === undefined) return NOTHING;
  if (reasoning.mode === "off") return { thinking: { type: "disabled" }, effort: undefined };
  const { effort = "medium", display } = reasoning;
  if (effort === "none") return NOTHING;
  if (THOUGHTLESS.test(request.model) || !mayThink(request)) {
    drop("reasoning_effort");
    return NOTHING;
  }
  const shown = display === undefined ? {} : { display };
  if (!BY_BUDGET.test(request.model) && reasoning.budgetTokens === undefined) {
    const known = reasoning.effort === undefined ? undefined : effort === "minimal" ? "low" : effort;
    return { thinking: { type: "adaptive", ...shown }, effort: known };
  }
  const wished = reasoning.budgetTokens ?? BUDGETS[effort];
  const budget = Math.min(wished, maxTokens - 1);
  if (budget < MIN_BUDGET_TOKENS) {
    drop("reasoning_effort");
    return NOTHING;
  }
  return { thinking: { type: "enabled", budget_tokens: budget, ...shown }, effort: undefined };
}

function mayThink({ toolChoice, messages }: ChatRequest): boolean {
  if (toolChoice?.type === "required" || toolChoice?.type === "function") return false;
  const last = messages.at(-1);
  if (last?.parts.some((part) => part.type === "tool-result") !== true) return true;
  const asked = messages.findLast(({ role }) => role === "assistant");
  return (
    asked === undefined ||
    asked.parts.some(
      (part) =>
        (part.type === "hidden-reasoning" && !isNamed(part.data)) ||
        (part.type === "reasoning" && part.signature !== "" && !isNamed(part.signature)),
    )
  );
}
