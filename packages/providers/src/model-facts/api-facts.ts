import * as models from "gpt-tokenizer/models";
import responsesModels from "./responses-models.json" with { type: "json" };

/**
 * Thinking modes that a Claude model accepts: none, a budget of tokens, adaptive, or either.
 * Source: https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html
 */
export type ClaudeThinking = "none" | "budget" | "either" | "adaptive";

const claudeThinking: readonly (readonly [RegExp, ClaudeThinking])[] = [
  [/claude-(?:instant|v?2|3-(?:opus|sonnet|haiku|5))/, "none"],
  [/claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[015])?(?:$|[@-]\d{6}|-latest))/, "budget"],
  [/claude-(?:opus|sonnet)-4-6/, "either"],
  [/claude-/, "adaptive"],
];

/** Returns the modes of a model; an unknown family counts as `either`. */
export function claudeThinkingOf(model: string): ClaudeThinking {
  return claudeThinking.find(([family]) => family.test(model))?.[1] ?? "either";
}

/**
 * Claude models that accept temperature and similar fields; newer ones refuse them. Source:
 * https://docs.anthropic.com/en/docs/about-claude/models/migration-guide
 */
const TAKES_SAMPLING = /claude-(?:instant|v?2|3-|(?:opus|sonnet|haiku)-4(?:-[0-6])?(?:$|[@:]|-(?:\d{6}|v\d|latest)))/;

export function refusesSampling(model: string): boolean {
  return model.includes("claude-") && !TAKES_SAMPLING.test(model);
}

/**
 * When an OpenAI model answers by Responses alone: always; with tools while it reasons, which is its default; or with tools and a requested
 * effort.
 */
export type ResponsesOnly = "always" | "tools" | "tools-with-effort" | "never";

interface ResponsesRule {
  readonly responses: ResponsesOnly;
  readonly begins: readonly string[];
  readonly contains: readonly string[];
}

const KINDS: readonly ResponsesOnly[] = ["always", "tools", "tools-with-effort", "never"];

const responsesRules: readonly ResponsesRule[] = responsesModels.map(({ responses, begins, contains = [] }) => {
  const kind = KINDS.find((known) => known === responses);
  if (kind === undefined) throw new Error(`responses-models.json has ${responses} instead of ${KINDS.join(", ")}.`);
  return { responses: kind, begins, contains };
});

function fits(name: string, { begins, contains }: ResponsesRule): boolean {
  // gpt-5.4 is no beginning of gpt-5.40.
  const isBegun = begins.some(
    (begin) => name.startsWith(begin) && !(/\d$/.test(begin) && /^\d/.test(name.slice(begin.length))),
  );
  return isBegun && (contains.length === 0 || contains.some((part) => name.includes(part)));
}

/**
 * OpenAI's models that answer by Responses alone, from the maintained list of their endpoints; false for those that answer by chat completions
 * too. Absent: models that the list lacks.
 */
const listedByResponses: ReadonlyMap<string, boolean> = new Map(
  Object.entries(models).flatMap(([name, spec]) => {
    const endpoints: readonly string[] = "supported_endpoints" in spec ? spec.supported_endpoints : [];
    const [responses, chat] = [endpoints.includes("responses"), endpoints.includes("chat_completions")];
    return responses || chat ? [[name, !chat] as const] : [];
  }),
);

/** Ignores a vendor before the name. */
export function responsesOnlyOf(model: string): ResponsesOnly {
  const name = model.replace(/^openai\//, "");
  const listed = listedByResponses.get(name);
  if (listed === true) return "always";
  const rules =
    listed === undefined ? responsesRules : responsesRules.filter(({ responses }) => responses !== "always");
  return rules.find((rule) => fits(name, rule))?.responses ?? "never";
}

/** Reasoning that a request with tools requests. `none`: it has no tools or disables reasoning. `unsaid`: it has no setting. */
export type ToolReasoning = "none" | "unsaid" | "asked";

export function needsResponses(model: string, toolReasoning: ToolReasoning): boolean {
  switch (responsesOnlyOf(model)) {
    case "always":
      return true;
    case "tools":
      return toolReasoning !== "none";
    case "tools-with-effort":
      return toolReasoning === "asked";
    case "never":
      return false;
  }
}

/** Reasoning models at Groq; all others refuse a message with thoughts. Source: https://console.groq.com/docs/reasoning */
const THINKS_AT_GROQ = /gpt-oss|qwen3|qwq|deepseek-r1|kimi-k2-thinking|minimax-m/i;

export function thinksAtGroq(model: string): boolean {
  return THINKS_AT_GROQ.test(model);
}

/** True for a Kimi model that thinks by default; older ones do not think, or have no switch. */
export function isThinkingKimi(model: string): boolean {
  return /kimi-k(?:2\.[5-9]|[3-9])/.test(model);
}

export function takesEffort(model: string): boolean {
  return /(?:^|\/)(?:o\d|gpt-5(?!.*chat)|gpt-[6-9]|gpt-oss)/.test(model);
}
