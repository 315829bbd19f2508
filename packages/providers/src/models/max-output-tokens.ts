import * as models from "gpt-tokenizer/models";

/** What gpt-tokenizer says about OpenAI's models, dated names included. */
const caps = new Map<string, number>(
  Object.entries(models).flatMap(([name, spec]) =>
    "max_output_tokens" in spec && typeof spec.max_output_tokens === "number" ? [[name, spec.max_output_tokens]] : [],
  ),
);

/**
 * The most tokens that a model can write in one answer, for reserving when a request sets no limit; undefined when it is not
 * known, which is so for every model but OpenAI's. A vendor before the name (`openai/gpt-5`) does not count.
 */
export function maxOutputTokens(model: string): number | undefined {
  return caps.get(model.replace(/^openai\//, ""));
}
