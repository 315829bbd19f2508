import {
  type Drop,
  effortOfBudget,
  type ReasoningEffort,
  type ReasoningOptions,
} from "../../../neutral/chat-request.ts";
import type { JsonRecord } from "../../../shared/json-fields.ts";

/** Models that cannot think, and models with a budget in tokens. Newer ones have levels. */
const THOUGHTLESS = /gemini-(?:1|2\.0)|gemma|learnlm|-image|-tts/;
const BY_BUDGET = /gemini-2/;
/** Cannot disable thinking. Minimum budget in tokens. */
const ALWAYS_THINKS = /gemini-2\.5-pro/;
const LEAST_BUDGET = 128;
const MOST_BUDGET = 24_576;

const BUDGETS: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 512,
  low: 1_024,
  medium: 8_192,
  high: MOST_BUDGET,
  xhigh: MOST_BUDGET,
  max: MOST_BUDGET,
};

/** Newer models that only have low and high, and models without minimal. */
const TWO_LEVELS = /gemini-3-pro/;
const NO_MINIMAL = /-pro/;

/** Writes `thinkingConfig` as the model supports it. Source: https://ai.google.dev/gemini-api/docs/thinking */
export function writeThinking(
  model: string,
  reasoning: ReasoningOptions | undefined,
  drop: Drop,
): JsonRecord | undefined {
  if (reasoning === undefined) return undefined;
  const isOff = reasoning.mode === "off" || reasoning.effort === "none";
  if (THOUGHTLESS.test(model)) {
    if (!isOff) drop("reasoning");
    return undefined;
  }
  const shown = isOff || reasoning.display === "omitted" ? {} : { includeThoughts: true };
  return {
    ...shown,
    ...(BY_BUDGET.test(model) ? budgetOf(model, reasoning, isOff, drop) : levelOf(model, reasoning, isOff)),
  };
}

function budgetOf(model: string, { budgetTokens, effort }: ReasoningOptions, isOff: boolean, drop: Drop): JsonRecord {
  if (isOff && ALWAYS_THINKS.test(model)) drop("reasoning");
  const least = ALWAYS_THINKS.test(model) ? LEAST_BUDGET : 0;
  const requested = isOff ? 0 : (budgetTokens ?? (effort === undefined ? undefined : BUDGETS[effort]));
  if (requested === undefined) return {};
  return { thinkingBudget: Math.min(MOST_BUDGET, Math.max(least, requested)) };
}

function levelOf(model: string, reasoning: ReasoningOptions, isOff: boolean): JsonRecord {
  const { budgetTokens, effort } = reasoning;
  const ofBudget = budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens);
  const requested = isOff ? "minimal" : (effort ?? ofBudget);
  if (requested === undefined) return {};
  const level = requested === "xhigh" || requested === "max" ? "high" : requested;
  if (level === "minimal" && NO_MINIMAL.test(model)) return { thinkingLevel: "low" };
  return { thinkingLevel: level === "medium" && TWO_LEVELS.test(model) ? "high" : level };
}
