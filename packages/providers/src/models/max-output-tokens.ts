import * as models from "gpt-tokenizer/models";

/** What gpt-tokenizer says about OpenAI's models, dated names included. */
const caps = new Map<string, number>(
  Object.entries(models).flatMap(([name, spec]) =>
    "max_output_tokens" in spec && typeof spec.max_output_tokens === "number" ? [[name, spec.max_output_tokens]] : [],
  ),
);

/** The longest answers of Claude's families, in tokens, the first that fits. Source: https://docs.anthropic.com/en/docs/about-claude/models/overview */
const claudeCaps: readonly (readonly [RegExp, number])[] = [
  [/^claude-(?:instant|2|3-(?:opus|sonnet|haiku))/, 4_096],
  [/^claude-3-5-/, 8_192],
  [/^claude-opus-4(?:-[01])?(?:$|-\d{8})/, 32_000],
  [/^claude-(?:3-7-|(?:sonnet|opus|haiku)-4)/, 64_000],
];

/** The longest answer that is assumed of a model whose own limit is not known, in tokens; a provider is asked for no more. */
export const UNKNOWN_MAX_OUTPUT_TOKENS = 16_384;

/**
 * The most tokens that a model can write in one answer, for reserving when a request sets no limit; undefined when it is not
 * known, which is so for every model but OpenAI's and Claude. A vendor before the name (`openai/gpt-5`) does not count.
 */
export function maxOutputTokens(model: string): number | undefined {
  const name = model.replace(/^(?:openai|anthropic)\//, "");
  return caps.get(name) ?? claudeCaps.find(([family]) => family.test(name))?.[1];
}
