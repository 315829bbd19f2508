import { CHAT_PARAMETERS, type ChatParameter } from "@one-api/contract/playground";
import * as models from "gpt-tokenizer/models";
import { withoutVendor } from "./max-output-tokens.ts";
import { knownAbilities, modelFacts } from "./model-facts.ts";

/** What OpenAI serves by other endpoints than chat. */
const listedElsewhere = new Set(
  Object.entries(models).flatMap(([name, spec]) => {
    const endpoints: readonly string[] = "supported_endpoints" in spec ? spec.supported_endpoints : [];
    return endpoints.includes("chat_completions") ? [] : [name];
  }),
);

/** Models that others serve by chat, whatever OpenAI does. */
const OPEN_WEIGHTS = /^gpt-oss/;

/** Families that do not chat, where no list tells it. */
const NO_CHAT =
  /embed|^bge-|rerank|moderation|whisper|transcribe|(?:^|-)tts(?:-|$)|^dall-e|imagen|flux|stable-diffusion/;

/** OpenAI's models that think refuse temperature and top_p. Source: https://platform.openai.com/docs/guides/reasoning */
const NO_SAMPLING = /^(?:o\d|gpt-5(?!.*chat)|gpt-[6-9])/;

/** Anthropic's API knows schemas of answers, and nothing that is only JSON. */
const NO_JSON = /^(?:claude|o1-(?:mini|preview))/;

/** What a chat request for the model may hold beside texts; undefined for models that do not chat. A vendor before the name does not count. */
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
    // Servers that do not know it refuse it, so a price or a list must tell.
    reasoning_effort: modelFacts(model).abilities.includes("reasoning"),
  };
  return CHAT_PARAMETERS.filter((parameter) => holds[parameter]);
}
