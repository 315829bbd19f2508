/**
 * How a model of Claude is told to think: not at all, by a budget of tokens, as much as it sees fit, or by either.
 * Source: https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html
 */
export type ClaudeThinking = "none" | "budget" | "either" | "adaptive";

/** Families of Claude, by any vendor's name of the model; the first that fits. */
const claudeThinking: readonly (readonly [RegExp, ClaudeThinking])[] = [
  [/claude-(?:instant|v?2|3-(?:opus|sonnet|haiku|5))/, "none"],
  [/claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[015])?(?:$|[@-]\d{6}|-latest))/, "budget"],
  [/claude-(?:opus|sonnet)-4-6/, "either"],
  [/claude-/, "adaptive"],
];

/** How the model is told to think; a model that no family fits is taken for one that takes either. */
export function claudeThinkingOf(model: string): ClaudeThinking {
  return claudeThinking.find(([family]) => family.test(model))?.[1] ?? "either";
}

/** Models of Claude that take a temperature and its like; all newer ones refuse them. Source: https://docs.anthropic.com/en/docs/about-claude/models/migration-guide */
const TAKES_SAMPLING = /claude-(?:instant|v?2|3-|(?:opus|sonnet|haiku)-4(?:-[0-6])?(?:$|[@:]|-(?:\d{6}|v\d|latest)))/;

/** True for a model of Claude that refuses to be told how freely to choose its words. */
export function refusesSampling(model: string): boolean {
  return model.includes("claude-") && !TAKES_SAMPLING.test(model);
}

/**
 * When a model of OpenAI answers by Responses alone: always; with tools while it reasons, which it does unless it is told not to; or with tools where
 * an effort is asked for.
 */
export type ResponsesOnly = "always" | "tools" | "tools-with-effort" | "never";

/**
 * Families of OpenAI, the first that fits. Sources: https://platform.openai.com/docs/models, and the refusals of chat completions:
 * https://github.com/openai/openai-openapi/issues/541, https://github.com/BerriAI/litellm/pull/34569.
 */
const responsesOnly: readonly (readonly [RegExp, ResponsesOnly])[] = [
  [
    /^(?:o1-pro|o3-pro|gpt-5[\w.]*-(?:pro|codex)|gpt-5-codex|codex-mini|computer-use|o\d[\w-]*-deep-research)/,
    "always",
  ],
  [/^gpt-(?:5\.\d+|[6-9][\d.]*).*chat/, "never"],
  [/^gpt-5\.[45](?!\d)/, "tools-with-effort"],
  [/^gpt-(?:5\.(?:[6-9]|\d\d)|[6-9]|\d\d)/, "tools"],
];

/** When the model answers by Responses alone; a vendor before its name does not count. */
export function responsesOnlyOf(model: string): ResponsesOnly {
  const name = model.replace(/^openai\//, "");
  return responsesOnly.find(([family]) => family.test(name))?.[1] ?? "never";
}

/** Whether a request with tools asks for reasoning: it has no tools or asks for none, says nothing of it, or asks for some. */
export type ToolReasoning = "none" | "unsaid" | "asked";

/** True where the model answers such a request by Responses alone. */
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

/** Models that think at Groq; all others refuse a message with thoughts. Source: https://console.groq.com/docs/reasoning */
const THINKS_AT_GROQ = /gpt-oss|qwen3|qwq|deepseek-r1|kimi-k2-thinking|minimax-m/i;

/** True for a model that takes its thoughts back at Groq. */
export function thinksAtGroq(model: string): boolean {
  return THINKS_AT_GROQ.test(model);
}

/** True for a model of Kimi that thinks unless it is told not to; older ones do not think, or cannot be told. */
export function isThinkingKimi(model: string): boolean {
  return /kimi-k(?:2\.[5-9]|[3-9])/.test(model);
}

/** True for a model of OpenAI that takes an effort; for all others the field is an error. */
export function takesEffort(model: string): boolean {
  return /(?:^|\/)(?:o\d|gpt-5(?!.*chat)|gpt-[6-9]|gpt-oss)/.test(model);
}
