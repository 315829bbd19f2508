/**
 * Writes src/models/generated-models.json: by channel type the models that are neither deprecated nor excluded by the rules, today's
 * first. Run it after an update of @pydantic/genai-prices: `node packages/providers/scripts/generate-models.ts`.
 */
import { writeFileSync } from "node:fs";
import { findProvider } from "@pydantic/genai-prices";
import * as tokenizerModels from "gpt-tokenizer/models";
import { modelListRules, type ModelListRules } from "./model-list-rules.ts";

const servedEndpoints: ReadonlySet<string> = new Set(["chat_completions", "completions", "embeddings", "moderation"]);

/** Models that OpenAI serves through other endpoints only (its Responses API) would fail on every endpoint here. */
const unserved: ReadonlySet<string> = new Set(
  Object.entries(tokenizerModels).flatMap(([name, spec]) => {
    const endpoints: readonly string[] = "supported_endpoints" in spec ? spec.supported_endpoints : [];
    return endpoints.length > 0 && !endpoints.some((endpoint) => servedEndpoints.has(endpoint)) ? [name] : [];
  }),
);

function modelsOf(rules: ModelListRules): readonly string[] {
  const provider = findProvider({ providerId: rules.list });
  if (provider?.id !== rules.list) {
    throw new Error(`genai-prices has no list ${rules.list}: correct scripts/model-list-rules.ts.`);
  }
  const names = provider.models
    .filter((model) => model.deprecated !== true)
    .map((model) => rules.rename?.[model.id] ?? (rules.lowerCase === true ? model.id.toLowerCase() : model.id))
    .filter((name) => !rules.exclude.test(name) && !(rules.list === "openai" && unserved.has(name)));
  const family = (name: string): number => {
    const index = rules.families.findIndex((pattern) => pattern.test(name));
    return index === -1 ? rules.families.length : index;
  };
  const newestFirst = new Intl.Collator("en", { numeric: true });
  return [...new Set(names)].sort((a, b) => family(a) - family(b) || newestFirst.compare(b, a));
}

const generated = Object.fromEntries(Object.entries(modelListRules).map(([type, rules]) => [type, modelsOf(rules)]));
writeFileSync(
  new URL("../src/models/generated-models.json", import.meta.url),
  `${JSON.stringify(generated, undefined, 2)}\n`,
);
