import { findProvider } from "@pydantic/genai-prices";
import * as tokenizerModels from "gpt-tokenizer/models";
import type { ModelSource, OfferedModels } from "./model-sources.ts";

const servedEndpoints: ReadonlySet<string> = new Set(["chat_completions", "completions", "embeddings", "moderation"]);

const unserved: ReadonlySet<string> = new Set(
  Object.entries(tokenizerModels).flatMap(([name, spec]) => {
    const endpoints: readonly string[] = "supported_endpoints" in spec ? spec.supported_endpoints : [];
    return endpoints.length > 0 && !endpoints.some((endpoint) => servedEndpoints.has(endpoint)) ? [name] : [];
  }),
);

/**
 * Returns a source's models: those of its list that are neither deprecated nor excluded, then those maintained by hand. It is slow, so models.json stores the result. Throws without the list.
 */
export function offeredModels({ priceList, offered, kept = [] }: ModelSource): readonly string[] {
  return [...new Set([...(offered === undefined ? [] : fromPriceList(priceList ?? "", offered)), ...kept])];
}

function fromPriceList(list: string, { exclude, families, rename, lowerCase }: OfferedModels): readonly string[] {
  const provider = findProvider({ providerId: list });
  if (provider?.id !== list) throw new Error(`genai-prices has no list "${list}": correct model-sources.ts.`);
  const names = provider.models
    .filter((model) => model.deprecated !== true)
    .map((model) => rename?.[model.id] ?? (lowerCase === true ? model.id.toLowerCase() : model.id))
    .filter((name) => !exclude.test(name) && !(list === "openai" && unserved.has(name)));
  const family = (name: string): number => {
    const index = families.findIndex((pattern) => pattern.test(name));
    return index === -1 ? families.length : index;
  };
  const newestFirst = new Intl.Collator("en", { numeric: true });
  return [...new Set(names)].sort((a, b) => family(a) - family(b) || newestFirst.compare(b, a));
}
