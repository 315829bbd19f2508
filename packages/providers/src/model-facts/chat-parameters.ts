import { CHAT_PARAMETERS, type ChatParameter } from "@one-api/contract/playground";
import * as models from "gpt-tokenizer/models";
import { withoutVendor } from "./max-output-tokens.ts";
import { knownAbilities, modelFacts } from "./model-facts.ts";

/** OpenAI's models of other endpoints than chat. */
const listedElsewhere = new Set(
  Object.entries(models).flatMap(([name, spec]) => {
    const endpoints: readonly string[] = "supported_endpoints" in spec ? spec.supported_endpoints : [];
    return endpoints.includes("chat_completions") ? [] : [name];
  }),
);

/** OpenAI's open models, which other providers serve by chat. */
const OPEN_WEIGHTS = /^gpt-oss/;

/** Families without chat that no list marks. */
const NO_CHAT =
  /embed|^bge-|rerank|moderation|whisper|transcribe|(?:^|-)tts(?:-|$)|^dall-e|imagen|flux|stable-diffusion/;

/** OpenAI's reasoning models refuse temperature and top_p. Source: https://platform.openai.com/docs/guides/reasoning */
const NO_SAMPLING = /^(?:o\d|gpt-5(?!.*chat)|gpt-[6-9])/;

/** Models without plain JSON mode; Anthropic's API accepts schemas only. */
const NO_JSON = /^(?:claude|o1-(?:mini|preview))/;

/** Returns the fields beside texts that a chat request may have; undefined for models without chat. Ignores a vendor before the name. */
export function chatParameters(model: string): readonly ChatParameter[] | undefined {
  const name = withoutVendor(model).toLowerCase();
  if (NO_CHAT.test(name) || (listedElsewhere.has(name) && !OPEN_WEIGHTS.test(name))) return undefined;
  const known = knownAbilities(model);
  const samples = !NO_SAMPLING.test(name);
  const holds: Readonly<Record<ChatParameter, boolean>> = {
    images: known?.includes("images") ?? true,
    tools: known?.includes("tools") ?? true,
    temperature: samples,
    top_p: samples,
    max_tokens: true,
    json: !NO_JSON.test(name),
    // Servers that do not know the field refuse it, so a list or a price must confirm it.
    reasoning_effort: modelFacts(model).abilities.includes("reasoning"),
  };
  return CHAT_PARAMETERS.filter((parameter) => holds[parameter]);
}
